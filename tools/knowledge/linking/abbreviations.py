"""Abbreviations that a text defines itself: "diabetes mellitus (DM)".

Schwartz and Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text, PSB 2003.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DEFINED = re.compile(r"\(\s?([A-Za-z0-9][\w/+-]{1,9})\s?[);,]")
_WORD = re.compile(r"\S+")
_INITIAL = re.compile(r"\b[^\W_]")


class Definition(NamedTuple):
    """A short form, and where in the text the long form before it stands."""

    short: str
    start: int
    end: int


def definitions(text: str) -> list[Definition]:
    """Find the short forms that a text defines in parentheses after their long forms."""
    if "(" not in text:
        return []
    found = []
    for match in _DEFINED.finditer(text):
        short = match[1]
        if not any(c.isupper() for c in short):
            continue
        window = text[max(0, match.start() - 200) : match.start()]
        words = list(_WORD.finditer(window))[-min(len(short) + 5, len(short) * 2) :]
        if not words:
            continue
        first = match.start() - len(window) + words[0].start()
        candidate = window[words[0].start() :].rstrip()
        if (start := long_form(short, candidate)) is not None:
            found.append(Definition(short, first + start, first + len(candidate)))
    return found


def abbreviates(short: str, long: str) -> bool:
    """Tell whether a short form can stand for a whole name: its first letter is the name's."""
    return len(long) > len(short) and short[:1].lower() == long[:1].lower() and long_form(short, long) is not None


def long_form(short: str, candidate: str) -> int | None:
    """Where in a text the shortest long form of its end begins; None where there is none.

    The short form's letters follow each other in the long form, the first at the start of a word; or they are the
    initials of its words in another order, as in "myotonic dystrophy (DM)".
    """
    c = len(candidate) - 1
    for s in range(len(short) - 1, -1, -1):
        wanted = short[s].lower()
        if not wanted.isalnum():
            continue
        while c >= 0 and (candidate[c].lower() != wanted or (s == 0 and c > 0 and candidate[c - 1].isalnum())):
            c -= 1
        if c < 0:
            return _by_initials(short, candidate)
        c -= 1
    start = candidate.rfind(" ", 0, c + 2) + 1
    long = candidate[start:]
    return None if len(long) <= len(short) or short in long.split() else start


def _by_initials(short: str, candidate: str) -> int | None:
    letters = sorted(c for c in short.lower() if c.isalnum())
    initials = list(_INITIAL.finditer(candidate))[-len(letters) :]
    alike = len(letters) > 1 and sorted(match.group().lower() for match in initials) == letters
    return initials[0].start() if alike else None
