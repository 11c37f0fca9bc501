"""The words of ordinary English, as the parser's lemmatizer lists them (WordNet's)."""

from __future__ import annotations

from functools import cache
from typing import cast

from core.language.parser import parser

_ENDINGS = ("", "s", "es", "ing", "ed", "ly")


def is_english(word: str) -> bool:
    """Whether a word in lower case is a noun, verb, adjective or adverb of English, in any of its forms."""
    return any(word.endswith(ending) and word.removesuffix(ending) in _lemmas() for ending in _ENDINGS)


@cache
def _lemmas() -> frozenset[str]:
    """All lemmas, some 80,000."""
    nlp = parser()
    lookups = nlp.get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]
    index = cast("dict[int, list[str]]", lookups.get_table("lemma_index"))
    return frozenset(word for lemmas in index.values() for word in lemmas)
