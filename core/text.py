"""Words of English text, with their places: the one tokeniser that searching and verifying share.

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


def end_of(text: str, most: int) -> str:
    """A text of at most so many characters as it is, the end of a longer one, from the beginning of a word on."""
    return text if len(text) <= most else text[-most:].partition(" ")[2] or text[-most:]
