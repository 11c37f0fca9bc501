from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from eval.metrics.statistics import bootstrap_interval, fleiss_kappa, paired, welch


def test_the_bootstrap_interval_is_that_of_the_normal_mean_in_a_large_sample() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.2, 2_000).tolist()
    found = bootstrap_interval(values, seed=0)
    half = 1.96 * float(np.std(values)) / math.sqrt(len(values))
    assert found.mean == pytest.approx(float(np.mean(values)))
    assert found.low == pytest.approx(found.mean - half, abs=0.001)
    assert found.high == pytest.approx(found.mean + half, abs=0.001)


def test_the_same_seed_gives_the_same_interval_and_a_higher_level_a_wider_one() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0]
    assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)
    assert bootstrap_interval(values, seed=3, level=0.99).low <= bootstrap_interval(values, seed=3, level=0.5).low
    assert bootstrap_interval([0.7], seed=0) == (0.7, 0.7, 0.7)


@pytest.mark.parametrize(("values", "level"), [([], 0.95), ([1.0], 1.0)])
def test_nothing_and_no_level_are_refused(values: list[float], level: float) -> None:
    with pytest.raises(ValueError, match=r"values|level"):
        bootstrap_interval(values, seed=0, level=level)


def test_welch_by_hand() -> None:
    """Means 2 and 5, variances 1 and 4, three values each: t = −3 / √(5/3)."""
    found = welch([1, 2, 3], [3, 5, 7])
    assert found.difference == -3
    assert found.statistic == pytest.approx(-3 / math.sqrt(5 / 3))
    freedom = (5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (4 / 3) ** 2 / 2)
    assert found.p == pytest.approx(2 * float(stats.t.sf(3 / math.sqrt(5 / 3), freedom)))


def test_welch_without_variance_is_sure() -> None:
    assert welch([1, 1], [1, 1]).p == 1.0
    assert welch([2, 2], [1, 1]) == (1.0, math.inf, 0.0)


def test_the_paired_test_counts_the_ways_to_flip_signs() -> None:
    """All eight differences are positive: of 256 ways two are as extreme."""
    found = paired([2.0] * 8, [1.0] * 8, seed=0)
    assert found.difference == 1.0
    assert found.p == pytest.approx(2 / 256)
    assert paired([1, 0, 1, 0], [0, 1, 0, 1], seed=0).p == 1.0


def test_a_large_paired_test_is_drawn_by_its_seed() -> None:
    random = np.random.default_rng(0)
    first, second = random.random(300).tolist(), random.random(300).tolist()
    assert paired(first, second, seed=1) == paired(first, second, seed=1)


FLEISS = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1], [7, 7, 0, 0, 0],
          [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]  # fmt: skip
"""Ten subjects, fourteen raters, five categories: the worked example of Wikipedia's article, κ = 0.210."""


def test_fleiss_kappa_of_the_well_known_example() -> None:
    assert fleiss_kappa(FLEISS) == pytest.approx(0.20993070442195522, abs=1e-9)
    assert fleiss_kappa([[3, 0], [3, 0]]) == 1.0
    assert fleiss_kappa([[3, 0], [0, 3]]) == pytest.approx(1.0)


@pytest.mark.parametrize("ratings", [[], [[1, 0]], [[2, 0], [1, 0]]])
def test_ratings_that_do_not_compare_are_refused(ratings: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="rat"):
        fleiss_kappa(ratings)
