"""Words and sentences of English text, with their places: the one tokeniser that searching and verifying share.

Offsets count Unicode code points of the text as given.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:[-'’.,/][^\W_]+)*", re.UNICODE)
_PART = re.compile(r"[^\W_]+", re.UNICODE)
_CONTRACTED = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b")
_ENGLISH = Stemmer.Stemmer("english")

STOPWORDS = frozenset(
    """a about above after again all also am an and any are aren't as at be because been before being below between both
    but by can cannot could couldn't did didn't do does doesn't doing don't down during each either few for from further
    get had hadn't has hasn't have haven't having he her here hers him his how i if in into is isn't it its itself just
    may me might more most must my myself of off on once one only or other our ours out over own per same shall she
    should so some such than that the their theirs them then there these they this those through to too under until up
    upon us very was wasn't we were weren't what when where whether which while who whom whose why will with within
    without would you your yours
    aren couldn didn doesn don hadn hasn haven isn mustn shouldn wasn weren won wouldn""".split()
)

_ABBREVIATIONS = frozenset(
    """e.g i.e etc vs dr mr mrs ms prof st approx ca cf al inc ltd jr sr dept est ed eds
    sp spp var subsp u.s u.k ph.d m.d b.i.d t.i.d q.d p.o i.v i.m s.c resp incl""".split()
)
_BEFORE_NUMBERS = frozenset("no nos fig figs eq eqs ref refs vol max min avg".split())
_LETTERED = frozenset("hepatitis vitamin vitamins type factor group class grade stage virus streptococcus".split())
_PRINTED = re.compile(r"\S")
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s)|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")


class Span(NamedTuple):
    """A piece of a text and where it stands."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Snowball's English stem of a lower-case word."""
    return str(_ENGLISH.stemWord(word))


def stems(lowered: list[str]) -> list[str]:
    """Stems of many lower-case words at once, several times faster than one by one."""
    found: list[str] = _ENGLISH.stemWords(lowered)
    return found


def words(text: str) -> list[Span]:
    """Words with their places; hyphened words, decimals and fractions stay whole."""
    return [Span(m.start(), m.end(), m.group()) for m in _WORD.finditer(text)]


def terms(text: str) -> list[str]:
    """Stems of all words, hyphened ones in parts, stop words kept; what a lexical index holds."""
    return [stem(part) for part in _parts(text)]


def content_terms(text: str) -> list[str]:
    """Stems of the words that carry content: no stop words."""
    return [stem(part) for part in _parts(text) if part not in STOPWORDS]


def _parts(text: str) -> list[str]:
    """Words in lower case, hyphened ones in parts, without what an apostrophe adds to them."""
    return _PART.findall(_CONTRACTED.sub("", text.lower()))


def sentences(text: str) -> list[Span]:
    """Sentences in order, stripped, never split inside a known abbreviation, an initial or a decimal."""
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if _inside_abbreviation(text, start, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _inside_abbreviation(text: str, start: int, match: re.Match[str]) -> bool:
    if not match.group().startswith(".") or match.group().startswith(".."):
        return False
    before = text[start : match.start()].split()
    last = before[-1].lstrip("([\"'").lower() if before else ""
    printed = _PRINTED.search(text, match.end())
    following = printed.group() if printed else ""
    if following.islower() and "\n" not in match.group():
        return True
    if len(before) == 1 and (last.isdigit() or len(last) == 1):
        return True  # the number of a list's item
    if last in _BEFORE_NUMBERS:
        return following.isdigit()
    initial = len(last) == 1 and last.isalpha() and last != "i"
    return last in _ABBREVIATIONS or (initial and before[-2:-1] != [] and before[-2].lower() not in _LETTERED)


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(stripped), stripped))
