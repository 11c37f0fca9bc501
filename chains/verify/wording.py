"""A text as the words that it is made of, with their stems: what a claim and a passage share is counted in these."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from core.text import content_terms, words


class Token(NamedTuple):
    """A word of a text: in lower case, with the stems of its parts that carry content."""

    word: str
    stems: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Wording:
    """A text with its tokens in order."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that carry content."""
        return frozenset(stem for token in self.tokens for stem in token.stems)


@lru_cache(maxsize=16_384)
def wording(text: str) -> Wording:
    """The words of a sentence; equal sentences are taken apart once a process (a bounded memory)."""
    lowered = (span.text.lower().replace("’", "'") for span in words(text))
    return Wording(text, tuple(Token(word, tuple(content_terms(word))) for word in lowered))
