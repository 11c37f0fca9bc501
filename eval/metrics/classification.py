"""Metrics of decisions and of scores that separate two classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike


def accuracy(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Share of records decided as the gold standard has them; a missing decision (None) is a wrong one.

    Raises ValueError for no records or unequal lengths.
    """
    _check(gold, predicted)
    return sum(g == p for g, p in zip(gold, predicted, strict=True)) / len(gold)


def f1_by_class(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> dict[Hashable, float]:
    """F1 of each class that the gold standard has: ``2 TP / (2 TP + FP + FN)``."""
    _check(gold, predicted)
    scores: dict[Hashable, float] = {}
    for label in dict.fromkeys(gold):
        hits = sum(g == label and p == label for g, p in zip(gold, predicted, strict=True))
        scores[label] = 2 * hits / (sum(g == label for g in gold) + sum(p == label for p in predicted))
    return scores


def macro_f1(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Mean of the F1 of the gold standard's classes, each weighing the same."""
    scores = f1_by_class(gold, predicted)
    return sum(scores.values()) / len(scores)


def precision_recall_f1(positive: Sequence[bool], found: Sequence[bool]) -> tuple[float, float, float]:
    """Of the records found, and of the positive ones, the share that is both; and F1: of hallucinations, say."""
    _check(positive, found)
    both = sum(p and f for p, f in zip(positive, found, strict=True))
    precision, recall = both / max(1, sum(found)), both / max(1, sum(positive))
    return precision, recall, 2 * both / max(1, sum(found) + sum(positive))


def auc(positive: ArrayLike, scores: ArrayLike) -> float:
    """Area under the ROC curve: the chance that a positive record scores above a negative one, ties counting half.

    The Mann–Whitney statistic over the number of pairs: for each positive record, how many negative ones lie below and
    how many not above. ``positive`` and ``scores`` are of one length. Raises ValueError where one of the two classes
    is empty.
    """
    labels = np.asarray(positive, dtype=bool)
    values = np.asarray(scores, dtype=np.float64)
    if labels.shape != values.shape:
        raise ValueError(f"{labels.size} labels, but {values.size} scores: give one score a label")
    above, below = values[labels], np.sort(values[~labels])
    if not above.size or not below.size:
        raise ValueError("AUC needs positive and negative records: one of the two classes is empty")
    beaten = np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")
    return float(beaten.sum()) / (2 * len(above) * len(below))


def _check(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> None:
    if not gold:
        raise ValueError("there are no records to score")
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold labels, but {len(predicted)} predictions: give one prediction a record")
