"""How likely a word follows two others in what people ask: a trigram model of the questions of the library's texts.

Absolute discounting, interpolated (Ney, Essen and Kneser 1994), over the counts of ``phrases.tsv.xz``, which
``eval.experiments.typed_words`` makes. Words that were asked too seldom count as one, the unknown word.
"""

from __future__ import annotations

import lzma
import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("phrases.tsv.xz")
START, END, UNKNOWN, NUMBER = "<s>", "</s>", "<u>", "#"
"""What stands for the beginning and the end of a sentence, a word that is seldom asked, and a number."""
DISCOUNT = 0.75
LEAST = 1e-9
"""The probability of what was never met, so that its logarithm is one."""

Phrase = tuple[str, ...]


class Phrases:
    """Counts of single words, pairs and triples; pairs and triples that were met once may be left out."""

    def __init__(self, counts: Mapping[Phrase, int]) -> None:
        """Take the counts of phrases of one, two and three words."""
        self._counts = counts
        self._all = sum(count for phrase, count in counts.items() if len(phrase) == 1 and phrase != (START,))
        self._followed: Counter[Phrase] = Counter()
        for phrase, count in counts.items():
            if len(phrase) > 1:
                self._followed[phrase[:-1]] += count - DISCOUNT  # type: ignore[assignment]

    @property
    def words(self) -> list[str]:
        """The words that are told from others, the signs among them."""
        return [phrase[0] for phrase in self._counts if len(phrase) == 1]

    def __contains__(self, word: str) -> bool:
        """Whether a word in lower case is asked often enough to be told from others."""
        return (word,) in self._counts

    def met(self, one: str, other: str) -> bool:
        """Whether one word was met before the other."""
        return (one, other) in self._counts

    def log_probability(self, word: str, before: tuple[str, str]) -> float:
        """The natural logarithm of how likely a word follows two others; each is one of ``self``, or a sign."""
        return math.log(self._probability(word, before) + LEAST)

    def _probability(self, word: str, before: Phrase) -> float:
        if not before:
            return self._counts.get((word,), 0) / self._all
        shorter = self._probability(word, before[1:])
        met = self._counts.get(before, 0)
        if not met:
            return shorter
        own = max(self._counts.get((*before, word), 0) - DISCOUNT, 0.0)
        return (own + (met - self._followed[before]) * shorter) / met


@lru_cache(maxsize=1)
def asked_phrases() -> Phrases:
    """The phrases of the questions that the library's texts were asked."""
    lines = lzma.decompress(FILE.read_bytes()).decode().splitlines()
    counts = (line.split("\t") for line in lines)
    return Phrases({tuple(phrase.split(" ")): int(count) for phrase, count in counts})
