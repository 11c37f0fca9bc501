from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.classification import accuracy, auc, f1_by_class, macro_f1, precision_recall_f1

RECORDS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1, max_size=30)


def slow_f1(gold: list[str], predicted: list[str], label: str) -> float:
    hits = [g for g, p in zip(gold, predicted, strict=True) if g == p == label]
    precision = len(hits) / predicted.count(label) if label in predicted else 0.0
    recall = len(hits) / gold.count(label)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@given(RECORDS)
def test_macro_f1_is_the_mean_of_the_harmonic_means(records: list[tuple[str, str]]) -> None:
    gold, predicted = [list(column) for column in zip(*records, strict=True)]
    expected = {label: slow_f1(gold, predicted, label) for label in set(gold)}
    assert f1_by_class(gold, predicted) == pytest.approx(expected)
    assert macro_f1(gold, predicted) == pytest.approx(sum(expected.values()) / len(expected))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=25))
def test_auc_is_the_share_of_pairs_in_the_right_order(records: list[tuple[bool, int]]) -> None:
    positive = [score for label, score in records if label]
    negative = [score for label, score in records if not label]
    labels, scores = zip(*records, strict=True)
    if not positive or not negative:
        with pytest.raises(ValueError, match="one of the two classes is empty"):
            auc(labels, scores)
        return
    won = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    assert auc(labels, scores) == pytest.approx(won / (len(positive) * len(negative)))


def test_a_missing_decision_is_a_wrong_one() -> None:
    assert accuracy(["yes", "no"], ["yes", None]) == 0.5


def test_unequal_lengths_and_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="2 gold labels, but 1 predictions"):
        accuracy(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="no records"):
        macro_f1([], [])
    with pytest.raises(ValueError, match="2 labels, but 1 scores"):
        auc([True, False], [1.0])


def test_precision_recall_and_f1_of_hallucinations() -> None:
    positive, found = [True, True, True, False], [True, False, False, True]
    assert precision_recall_f1(positive, found) == pytest.approx((1 / 2, 1 / 3, 0.4))
    assert precision_recall_f1([True], [False]) == (0.0, 0.0, 0.0)
