"""The words of ordinary English, as the parser's lemmatizer lists them (WordNet's)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import cast

from core.language.parser import parser

_ENDINGS = {
    "s": ("",), "es": ("",), "ies": ("y",), "ing": ("", "e"), "ed": ("", "e"), "ied": ("y",), "er": ("", "e"),
    "est": ("", "e"), "ly": ("",), "ic": ("y", "ics"), "ier": ("y",), "iest": ("y",),
}  # fmt: skip
"""Endings, and what stands in their place in the word that they are made of: "mammographic", "mammography"."""
_DOUBLING = frozenset({"ing", "ed", "er", "est"})
_DOUBLED = re.compile(r"([bdfgklmnprstvz])\1$")
_UNDOUBLED = re.compile(r"^[^aeiou]*[aeiou][bdfgklmnprstvz]$|[^aeiou]y$|e$")
"""What takes no such ending as it is: "run", "worry", "smoke"."""
_BEFORE = re.compile(r"(?:under|over|non|un|re|pre|post|anti|multi|inter|mis|sub|self|co)-?(?=[a-z]{5})")
_BRITISH = re.compile(r"is(?=(?:e|es|ed|ing|ations?)$)")


def is_english(word: str) -> bool:
    """Whether a word in lower case is a noun, verb, adjective or adverb of English, in any of its forms."""
    american = _BRITISH.sub("iz", word)
    return any(map(_is_form, {word, american, _BEFORE.sub("", american, count=1)}))


def _is_form(word: str) -> bool:
    return word in _lemmas() or any(base in _lemmas() for base in _bases(word))


def _bases(word: str) -> Iterator[str]:
    """What a word may be a form of, by its ending."""
    for ending, stands in _ENDINGS.items():
        if not word.endswith(ending):
            continue
        base = word.removesuffix(ending)
        if ending not in _DOUBLING:
            yield from (base + instead for instead in stands)
        elif _DOUBLED.search(base):
            yield from (base, base[:-1])
        else:
            as_it_is = ending == "ing" and base.endswith("y")
            yield from (base + instead for instead in stands if instead or as_it_is or not _UNDOUBLED.search(base))


@cache
def _lemmas() -> frozenset[str]:
    """All lemmas, some 80,000."""
    nlp = parser()
    lookups = nlp.get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]
    index = cast("dict[int, list[str]]", lookups.get_table("lemma_index"))
    return frozenset(word for lemmas in index.values() for word in lemmas)
