from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.ranking import ndcg_at, recall_at


def gain(ranking: tuple[int, ...], relevant: set[int], k: int) -> float:
    total = 0.0
    for rank in range(1, min(k, len(ranking)) + 1):
        if ranking[rank - 1] in relevant:
            total += math.log(2) / math.log(rank + 1)
    return total


@given(st.permutations(range(5)), st.sets(st.integers(0, 4), min_size=1), st.integers(1, 8))
def test_ndcg_is_the_gain_over_that_of_the_best_of_all_rankings(ranking: list[int], relevant: set[int], k: int) -> None:
    best = max(gain(other, relevant, k) for other in permutations(range(5)))
    assert ndcg_at(ranking, relevant, k) == pytest.approx(gain(tuple(ranking), relevant, k) / best)


@given(st.permutations(range(8)), st.sets(st.integers(0, 11), min_size=1), st.integers(1, 12))
def test_recall_counts_what_was_found(ranking: list[int], relevant: set[int], k: int) -> None:
    assert recall_at(ranking, relevant, k) == pytest.approx(len(set(ranking[:k]) & relevant) / len(relevant))


def test_known_values() -> None:
    assert ndcg_at(["a", "b", "c"], {"a", "c"}) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert ndcg_at(["b"], {"a"}) == 0
    assert ndcg_at([], {"a"}) == 0
    assert recall_at(["a", "b"], {"a", "c"}, 1) == 0.5


@pytest.mark.parametrize("measure", [ndcg_at, recall_at])
def test_what_has_no_score_is_refused(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(ValueError, match="no document is relevant"):
        measure(["a"], set())
    with pytest.raises(ValueError, match="twice"):
        measure(["a", "a"], {"a"})
    with pytest.raises(ValueError, match="k ≥ 1"):
        measure(["a"], {"a"}, 0)
