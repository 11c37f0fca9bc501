"""Whether a risk beside an answer is worth what it says: calibration, and who may be answered at which risk.

An answer is wrong (1), right (0), or wrong in part, in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BINS = 10


class Bin(NamedTuple):
    """Answers of like risk: how many, the mean risk told, and the share that was wrong."""

    answers: int
    told: float
    wrong: float


class RiskCoverage(NamedTuple):
    """The share answered and the share wrong among those, the surest answers first, and the area under the curve."""

    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    area: float


def reliability(wrong: Sequence[float], risks: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Answers in bins of equal width over the risk, empty ones left out: a reliability diagram's points."""
    errors, told = _checked(wrong, risks)
    if told.min() < 0 or told.max() > 1:
        raise ValueError("a risk is a probability: between 0 and 1")
    place = np.minimum((told * bins).astype(int), bins - 1)
    inside = [place == n for n in range(bins)]
    return [Bin(int(own.sum()), float(told[own].mean()), float(errors[own].mean())) for own in inside if own.any()]


def calibration_error(wrong: Sequence[float], risks: Sequence[float], bins: int = BINS) -> float:
    """Expected calibration error (Naeini et al. 2015): |told − wrong| of each bin, weighted by its answers."""
    found = reliability(wrong, risks, bins)
    return sum(each.answers * abs(each.told - each.wrong) for each in found) / len(risks)


def risk_coverage(wrong: Sequence[float], risks: Sequence[float], *, withheld: int = 0) -> RiskCoverage:
    """The risk–coverage curve (El-Yaniv & Wiener 2010) and its area (AURC, Geifman et al. 2019): lower is better.

    A point an answer. Answers of equal risk cannot be told apart: each carries the mean of the errors among them, so
    that their order in the file does not matter. So many questions as were ``withheld`` have no point, and end the
    curve before 1; in the area they come last, as wrong, for who answers nothing else would be the surest of all.
    """
    errors, told = _checked(wrong, risks)
    _, ties = np.unique(told, return_inverse=True)
    expected = (np.bincount(ties, weights=errors) / np.bincount(ties))[ties][np.argsort(told, kind="stable")]
    asked = len(expected) + withheld
    places = np.arange(1, asked + 1)
    curve = np.cumsum(np.append(expected, np.ones(withheld))) / places
    answered = slice(len(expected))
    return RiskCoverage(
        tuple((places / asked)[answered].tolist()), tuple(curve[answered].tolist()), float(curve.mean())
    )


def _checked(wrong: Sequence[float], risks: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(wrong) != len(risks) or not len(wrong):
        raise ValueError(f"give one risk an answer: here are {len(wrong)} answers and {len(risks)} risks")
    return np.asarray(wrong, dtype=np.float64), np.asarray(risks, dtype=np.float64)
