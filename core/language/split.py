"""Sentences by their punctuation, without a parse: fast, in linear time, and also where no capital begins them."""

from __future__ import annotations

import re

from core.text import Span

_ABBREVIATIONS = frozenset(
    """e.g i.e etc vs dr mr mrs ms prof st approx ca cf al inc ltd jr sr dept est ed eds sp spp var subsp u.s u.k
    ph.d m.d b.i.d t.i.d q.d p.o i.v i.m s.c resp incl esp viz pt pts hx tx dx rx staph strep temp hosp hr hrs min mins
    sec wk wks yr yrs mo no tab tabs cap caps inj tbsp tsp assn intl misc dist med meds adm""".split()
)
_BEFORE_NUMBERS = frozenset("no nos fig figs eq eqs ref refs vol max min avg p pp ch sec tab".split())
_LETTERED = frozenset("hepatitis vitamin vitamins type factor group class grade stage virus streptococcus".split())
_CONTINUING = frozenset(
    """and or nor of per daily twice once orally po bid tid qd than by every nightly weekly which that""".split()
)
_END = re.compile(
    r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?:\s?\[\d[\d,\s–-]{0,40}\])*(?=\s)"
    r"|\n\s*\n|\n(?=[ \t]*(?:[-*•–·]|\(?\d{1,3}[.)]|\(?[a-z]\)|#{1,6})[ \t])|(?P<line>\n)"
)
_NEXT = re.compile(r"\s*[\"'“‘(\[]*([^\W_]?[\w'-]*)")
_BEFORE = 48
_HEADING_WORDS = 6
_HEADING_MARK = re.compile(r"[ \t]*#{1,6}[ \t]")


def sentences(text: str) -> list[Span]:
    """Sentences in order, stripped, never split inside a known abbreviation, an initial or a decimal.

    An item of a list and a heading are sentences of their own; a line that merely wraps is not.
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        ends = _line_ends(text, start, match) if match["line"] else not _goes_on(text, start, match)
        if ends:
            _append(spans, text, start, match.end())
            start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _line_ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a single line break ends a sentence: after a heading or a list's head."""
    at = match.start()
    line = text[max(start, at - 200) : at].strip()
    following = text[match.end() : match.end() + 1]
    if not line or not following:
        return False
    if line.endswith(":") or _HEADING_MARK.match(line):
        return True
    short = at - start < 70 and len(line.split()) <= _HEADING_WORDS and "\n" not in line
    return short and line[-1] not in ",;-–(" and following.isupper() and line[:1].isupper()


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a full stop is not the end: of an abbreviation, an initial, a list's number."""
    if not match.group().startswith(".") or match.group().startswith(".."):
        return False
    near = max(start, match.start() - _BEFORE)
    before = text[near : match.start()].split()
    last = before[-1].lstrip("([\"'“‘").lower() if before else ""
    following = _NEXT.match(text, match.end())
    word = following.group(1) if following else ""
    if len(before) == 1 and near == start and (last.isdigit() or len(last) == 1):
        return True  # the number of a list's item
    if word[:1].islower() and (word in _CONTINUING or "." in last or not last.strip("()[]")):
        return not last.replace(".", "").isdigit()
    if last in _BEFORE_NUMBERS and last not in _ABBREVIATIONS - {"no", "min", "sec", "tab"}:
        return word[:1].isdigit()
    initial = len(last) == 1 and last.isalpha() and last != "i"
    if initial:
        return len(before) < 2 or before[-2].lower() not in _LETTERED
    return last in _ABBREVIATIONS


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(stripped), stripped))
