"""Forms of words that count as one, and the numbers that stand for them.

The linker compares numbers: a form is hashed to 64 bits once, and a name is the sum of its forms' numbers, so that
its words may come in any order and every run of words in a text is one subtraction away.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from core.text import stem

PART = re.compile(r"[^\W_]+")
NULL_WORDS = frozenset(("of", "the", "a", "an", "in", "on", "for", "by", "to", "at"))
"""Words that a name may have or lack: "cancer of the lung" has the words of "lung cancer"."""
_CAPITALISED_NULLS = frozenset(("The", "Of", "For", "By", "On", "To", "At"))
MASK = (1 << 64) - 1
_ALONE = 0x9E3779B97F4A7C15
"""Keeps a name of one word apart from the same word among others."""

_POSSESSIVE = re.compile(r"(?<=[^\W_])['’]s\b")
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
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "κ": "kappa", "λ": "lambda",
          "μ": "mu", "ω": "omega", "σ": "sigma", "τ": "tau"}  # fmt: skip
_BRITISH = re.compile(r"(?<=[a-z])ae(?=[a-z])|^ae(?=[mstr])|(?<=[a-z])oe(?=[dms])|^oe(?=[dst])")
_COLOURS = re.compile(r"(tum|col|hum|od|behavi|lab|fav)our")
_KEPT_ENDINGS = ("ss", "us", "is", "as", "os", "itis")


class Form(NamedTuple):
    """What the linker knows of a word as written.

    ``alone`` is the number of its singular: what a name of one word is found by. ``among`` is that of its stem: a part
    of names of several words; 0 where the word is null. ``lower`` and ``exact`` are those of its letters.
    """

    alone: int
    among: int
    lower: int
    exact: int


def without_possessives(text: str) -> str:
    """Blank out what an apostrophe adds to a word, every other character in its place."""
    return _POSSESSIVE.sub("  ", text) if "'" in text or "’" in text else text


@lru_cache(maxsize=65_536)
def form(word: str) -> Form:
    """Return the numbers of a word as written."""
    lower = word.lower()
    plain = _plain(lower)
    written = number(lower)

    def of(text: str) -> int:
        return written if text == lower else number(text)

    null = lower in NULL_WORDS and (word == lower or word in _CAPITALISED_NULLS)
    return Form(
        alone=of(_singular(plain)) * _ALONE & MASK,
        among=0 if null else of(_stem(plain)),
        lower=written,
        exact=written if word == lower else number(word),
    )


def number(text: str) -> int:
    """Hash a text to 64 bits, the same in every process."""
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def singular_of(word: str) -> str:
    """Return the singular of a word in small letters, in American spelling."""
    return _singular(_plain(word.lower()))


def _plain(lower: str) -> str:
    if lower in _ROMAN:
        return _ROMAN[lower]
    if not lower.isascii():
        lower = "".join(_GREEK.get(c, c) for c in lower)
        lower = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    if len(lower) > 4:
        if "ae" in lower or "oe" in lower:
            lower = _BRITISH.sub("e", lower)
        if "our" in lower:
            lower = _COLOURS.sub(r"\1or", lower)
    return lower


def _stem(plain: str) -> str:
    """Snowball's stem; symbols have none, and a word in -itis differs from its organ's by nothing but its ending."""
    return stem(plain) if plain.isalpha() and not plain.endswith("itis") else plain


def _singular(plain: str) -> str:
    """The singular of a plural noun; other words as they are."""
    if len(plain) <= 3 or not plain.endswith("s") or plain.endswith(_KEPT_ENDINGS):
        return plain
    if plain.endswith("ies") and len(plain) > 4:
        return plain[:-3] + "y"
    if len(plain) > 5 and plain.endswith(("oses", "yses", "ises", "eses", "stases")):
        return plain[:-2] + "is"
    if plain.endswith(("sses", "ches", "shes", "xes")):
        return plain[:-2]
    return plain[:-1]
