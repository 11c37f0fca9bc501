"""Odds and probabilities, one made of the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = 0.005
"""Probabilities nearer to 0 or 1 are not told apart."""


def log_odds(p: float) -> float:
    """The logarithm of the odds of a probability, which is held away from 0 and 1."""
    p = min(1.0 - LEAST, max(LEAST, p))
    return math.log(p / (1.0 - p))


def probability(logit: float) -> float:
    """The probability whose odds have this logarithm."""
    return 1.0 / (1.0 + math.exp(-logit))


def probabilities(logits: Sequence[float]) -> tuple[float, ...]:
    """The probability of each class by the logarithm of its odds against one more, which has what is left to 1."""
    top = max(*logits, 0.0)
    powers = [math.exp(logit - top) for logit in logits]
    total = sum(powers) + math.exp(-top)
    return tuple(power / total for power in powers)


def class_odds(inputs: NDArray[np.floating[Any]], coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
    """Odds of each class against one more (rows by classes), by a multinomial logistic regression.

    ``inputs`` are rows by inputs, ``coefficients`` classes by inputs and intercept.
    """
    odds: NDArray[np.float64] = np.exp(inputs @ coefficients[:, :-1].T + coefficients[:, -1])
    return odds
