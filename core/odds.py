"""Odds of probabilities."""

from __future__ import annotations

import math

LEAST = 0.005
"""Probabilities nearer to 0 or 1 are not told apart."""


def log_odds(p: float) -> float:
    """The logarithm of the odds of a probability, which is held away from 0 and 1."""
    p = min(1.0 - LEAST, max(LEAST, p))
    return math.log(p / (1.0 - p))
