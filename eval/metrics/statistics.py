"""How sure a figure is, whether two differ, and how far raters agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

RESAMPLES = 10_000
_LEAST, _DRAWN = 1_000, 20_000_000
"""Resamples of a large sample, and numbers drawn in all, beyond which there are fewer: its interval is narrow."""
_AT_ONCE = 4_000_000
"""Numbers drawn in one block, so that memory does not grow with the sample."""


class Interval(NamedTuple):
    """A mean and the ends of its confidence interval."""

    mean: float
    low: float
    high: float


class Difference(NamedTuple):
    """Of two means, first less second: the difference, the test's statistic and its two-sided p-value."""

    difference: float
    statistic: float
    p: float


def bootstrap_interval(values: Sequence[float], seed: int, level: float = 0.95) -> Interval:
    """The mean of the values with its percentile bootstrap interval (Efron 1979).

    10,000 resamples; fewer, but at least 1,000, of more than 2,000 values. Raises ValueError for no values or a level
    outside (0, 1).
    """
    sample = np.asarray(values, dtype=np.float64)
    if not sample.size:
        raise ValueError("there are no values to resample")
    if not 0 < level < 1:
        raise ValueError(f"a level of confidence lies between 0 and 1, not at {level}")
    random = np.random.default_rng(seed)
    resamples = min(RESAMPLES, max(_LEAST, _DRAWN // sample.size))
    block = max(1, _AT_ONCE // sample.size)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    means = np.concatenate([_means(sample, size, random) for size in sizes])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(sample.mean()), float(low), float(high))


def welch(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Welch's t-test (1947): two independent samples of unequal variances.

    Samples without any variance differ surely or not at all. Raises ValueError where one has fewer than two values.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if min(a.size, b.size) < 2:
        raise ValueError("Welch's test needs two values in each sample")
    difference = float(a.mean() - b.mean())
    if np.ptp(a) == np.ptp(b) == 0:
        return _sure(difference)
    found = stats.ttest_ind(a, b, equal_var=False)
    return Difference(difference, float(found.statistic), float(found.pvalue))


def paired(first: Sequence[float], second: Sequence[float], seed: int) -> Difference:
    """A permutation test of paired differences (Fisher 1935): the same questions answered by two methods.

    The statistic is the mean difference; signs are flipped in every way where that is 10,000 ways at most, otherwise
    10,000 times at random. Raises ValueError for unequal lengths or none.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(f"a paired test needs as many values of both: here are {len(first)} and {len(second)}")
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    found = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        vectorized=True,
        batch=max(1, _AT_ONCE // differences.size),
        rng=np.random.default_rng(seed),
    )
    mean = float(differences.mean())
    return Difference(mean, mean, float(found.pvalue))


def fleiss_kappa(ratings: ArrayLike) -> float:
    """Fleiss' kappa (1971) of a table (subjects by categories) that counts the raters who chose each category.

    1 where all raters agree on one and the same category for every subject. Raises ValueError where the subjects do
    not have the same number of raters, at least two.
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError("ratings are a table: subjects by categories")
    raters = table.sum(axis=1)
    n = float(raters[0])
    if n < 2 or not np.all(raters == n):
        raise ValueError("Fleiss' kappa needs the same number of raters for every subject, at least two")
    agreement = float(((table**2).sum(axis=1) - n).mean() / (n * (n - 1)))
    chance = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return 1.0 if chance == 1 else (agreement - chance) / (1 - chance)


def _means(sample: NDArray[np.float64], size: int, random: np.random.Generator) -> NDArray[np.float64]:
    drawn: NDArray[np.float64] = sample[random.integers(0, sample.size, (size, sample.size))].mean(axis=1)
    return drawn


def _sure(difference: float) -> Difference:
    return Difference(difference, float(np.sign(difference)) * np.inf if difference else 0.0, float(difference == 0))
