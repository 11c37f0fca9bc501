"""The words of ordinary English, as the parser's lemmatizer lists them (WordNet's)."""

from __future__ import annotations

import re
from functools import cache
from typing import cast

from core.language.parser import parser

_ENDINGS = {
    "": ("",), "s": ("",), "es": ("",), "ing": ("", "e"), "ed": ("", "e"), "ly": ("",), "ic": ("y", "ics"),
    "ier": ("y",), "iest": ("y",),
}  # fmt: skip
"""Endings, and what stands in their place in the word that they are made of: "mammographic", "mammography"."""
_BEFORE = re.compile(r"(?:under|over|non|un|re|pre|post|anti|multi|inter|mis|sub|self|co)-?(?=[a-z]{5})")
_BRITISH = re.compile(r"is(?=(?:e|es|ed|ing|ations?)$)")


def is_english(word: str) -> bool:
    """Whether a word in lower case is a noun, verb, adjective or adverb of English, in any of its forms."""
    american = _BRITISH.sub("iz", word)
    return any(map(_is_form, {word, american, _BEFORE.sub("", american, count=1)}))


def _is_form(word: str) -> bool:
    return any(
        word.removesuffix(ending) + instead in _lemmas()
        for ending, stands in _ENDINGS.items()
        if word.endswith(ending)
        for instead in stands
    )


@cache
def _lemmas() -> frozenset[str]:
    """All lemmas, some 80,000."""
    nlp = parser()
    lookups = nlp.get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]
    index = cast("dict[int, list[str]]", lookups.get_table("lemma_index"))
    return frozenset(word for lemmas in index.values() for word in lemmas)
