"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004), as rouge-score counts them, at the speed of machine words.

The longest common subsequence is counted by bits (Hyyrö 2004): a word of the answer costs one addition of integers as
long as the reference, where rouge-score fills a row of a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from eval.metrics.tokens import words


class Overlap(NamedTuple):
    """Precision, recall and F1 of what two texts share."""

    p: float
    r: float
    f1: float


def rouge(answer: str, references: Sequence[str], language: str) -> dict[str, float]:
    """All nine figures; of several references each ROUGE takes the one with the best F1, as rouge-score does."""
    said = words(answer, language)
    each = [_kinds(said, words(reference, language)) for reference in references]
    best = {kind: max((found[kind] for found in each), key=lambda overlap: overlap.f1) for kind in each[0]}
    return {f"{kind}_{figure}": value for kind, found in best.items() for figure, value in found._asdict().items()}


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    places: dict[str, int] = {}
    for place, word in enumerate(second):
        places[word] = places.get(word, 0) | 1 << place
    everywhere = (1 << len(second)) - 1
    unmatched = everywhere
    for word in first:
        if here := places.get(word):
            shared = unmatched & here
            unmatched = (unmatched + shared | unmatched - shared) & everywhere
    return len(second) - unmatched.bit_count()


def overlap(shared: int, said: int, wanted: int) -> Overlap:
    """From counts to shares; 0 where nothing is said or wanted."""
    p, r = shared / max(said, 1), shared / max(wanted, 1)
    return Overlap(p, r, 2 * p * r / (p + r) if p + r else 0.0)


def _kinds(said: list[str], wanted: list[str]) -> dict[str, Overlap]:
    pairs_said, pairs_wanted = Counter(pairwise(said)), Counter(pairwise(wanted))
    return {
        "rouge1": overlap((Counter(said) & Counter(wanted)).total(), len(said), len(wanted)),
        "rouge2": overlap((pairs_said & pairs_wanted).total(), len(said) - 1, len(wanted) - 1),
        "rougeL": overlap(common_subsequence(said, wanted), len(said), len(wanted)),
    }
