"""How much a word tells: the one weight that answering and verifying share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.text import stems

Rarity = Callable[[str], float]
"""Weight in [0, 1] of a stem, as ``core.text.content_terms`` gives it: 0 says nothing, 1 could hardly say more."""


def wordpiece_rarity(vocabulary: Mapping[str, int]) -> Rarity:
    """Rarity from a WordPiece vocabulary, whose whole words are listed by falling frequency.

    By Zipf's law the logarithm of a word's rank is its information up to a constant; a word that the vocabulary
    lacks is rarer than all that it has. A stem takes the rank of its most frequent word.
    """
    whole = sorted((rank, word) for word, rank in vocabulary.items() if word.isalpha() and len(word) > 1)
    floor, top = whole[0][0], math.log(len(vocabulary))
    ranks: dict[str, float] = {}
    for (rank, _), stem in zip(whole, stems([word for _, word in whole]), strict=True):
        ranks.setdefault(stem, math.log(rank - floor + 1) / top)
    return lambda term: 0.3 if term.isdigit() and len(term) < 3 else ranks.get(term, 1.0)
