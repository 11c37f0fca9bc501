"""What the reader that has learned makes of the passage, and of what in it is nearest to the claim."""

from __future__ import annotations

from chains.verify.comparison import Comparison


def read_support(comparison: Comparison) -> float | None:
    """The probability by which it reads the claim as supported."""
    return None if comparison.entailed is None else comparison.entailed.supported


def read_contradiction(comparison: Comparison) -> float | None:
    """The probability by which it reads the claim as contradicted."""
    return None if comparison.entailed is None else comparison.entailed.contradicted


def read_near_support(comparison: Comparison) -> float | None:
    """The same of support in the nearest window alone: of a whole passage it overlooks what one sentence says."""
    return None if comparison.entailed_near is None else comparison.entailed_near.supported


def read_near_contradiction(comparison: Comparison) -> float | None:
    """The same of contradiction in the nearest window alone."""
    return None if comparison.entailed_near is None else comparison.entailed_near.contradicted
