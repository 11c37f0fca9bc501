"""What the reader that has learned makes of the passage."""

from __future__ import annotations

from chains.verify.comparison import Comparison


def read_support(comparison: Comparison) -> float | None:
    """The probability by which it reads the claim as supported."""
    return None if comparison.entailed is None else comparison.entailed.supported


def read_contradiction(comparison: Comparison) -> float | None:
    """The probability by which it reads the claim as contradicted."""
    return None if comparison.entailed is None else comparison.entailed.contradicted
