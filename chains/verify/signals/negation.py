"""Whether claim and evidence say the same thing with opposite signs: one denies what the other states."""

from __future__ import annotations

from chains.verify.comparison import Comparison

_REACH = 2.0


def negation_conflict(comparison: Comparison) -> float:
    """How much of what claim and window share is negated in exactly one of them, in [0, 1].

    Twice the weighted share of such words, for a negation seldom reaches the subject: half of them is all.
    """
    claim, window = comparison.claim.polarity, comparison.window.reading.polarity
    shared = [stem for stem in claim if stem in window]
    total = sum(comparison.rarity(stem) for stem in shared)
    if total <= 0:
        return 0.0
    turned = sum(comparison.rarity(stem) for stem in shared if claim[stem] != window[stem])
    return min(1.0, _REACH * turned / total)


def negation_differs(comparison: Comparison) -> float:
    """1 where exactly one of claim and window holds a negation at all, otherwise 0."""
    return float(comparison.claim.negated != comparison.window.reading.negated)


def hedging(comparison: Comparison) -> float:
    """1 where the window is unsure and the claim is not, −1 where it is the other way round, otherwise 0."""
    return float(comparison.window.reading.hedged) - float(comparison.claim.hedged)


def claim_negated(comparison: Comparison) -> float:
    """1 where the claim itself denies something, otherwise 0."""
    return float(comparison.claim.negated)
