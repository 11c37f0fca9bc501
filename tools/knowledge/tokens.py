"""Tokens of names and of texts, normalised alike: what the linker compares."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text import stem, words

_PART = re.compile(r"[^\W_]+")
_ROMAN = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "v": "5",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "x": "10",
}


class Token(NamedTuple):
    """A word, or a part of a hyphened one: its place, its surface and its normal form."""

    start: int
    end: int
    text: str
    normal: str


def tokens(text: str) -> list[Token]:
    """Cut a text into tokens: stems, a possessive's s dropped, Roman numerals after "type" read as numbers."""
    found: list[Token] = []
    for start, end, word in words(text):
        if word.isalnum():
            found.append(_token(start, end, word, found))
            continue
        for part in _PART.finditer(word):
            if part.group() in "sS" and part.start() and word[part.start() - 1] in "'\u2019":
                continue
            found.append(_token(start + part.start(), start + part.end(), part.group(), found))
    return found


def normalise(text: str) -> str:
    """Return the normal forms of a text's tokens, joined by spaces; empty where it has no word."""
    return " ".join(token.normal for token in tokens(text))


def _token(start: int, end: int, text: str, before: list[Token]) -> Token:
    lower = text.lower()
    if lower in _ROMAN and before and before[-1].normal == "type":
        return Token(start, end, text, _ROMAN[lower])
    return Token(start, end, text, stem(lower))
