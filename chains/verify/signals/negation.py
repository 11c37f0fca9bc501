"""Whether claim and evidence say the same thing with opposite signs: one denies what the other states."""

from __future__ import annotations

from collections.abc import Iterable

from chains.verify.comparison import Comparison
from core.language.statement import Word
from core.text import content_terms

_REACH = 2.0


def polarity(words: Iterable[Word]) -> dict[str, bool]:
    """For each stem whether every one of its places is denied."""
    found: dict[str, bool] = {}
    for word in words:
        for stem in content_terms(word.text):
            found[stem] = found.get(stem, True) and word.negated
    return found


def negation_conflict(comparison: Comparison) -> float:
    """How much of what claim and window share is negated in exactly one of them, in [0, 1].

    Twice the weighted share of such words, for a negation seldom reaches the subject: half of them is all.
    """
    claim, window = polarity(comparison.claim_words), polarity(comparison.window_words)
    shared = [stem for stem in claim if stem in window]
    total = sum(comparison.rarity(stem) for stem in shared)
    if total <= 0:
        return 0.0
    turned = sum(comparison.rarity(stem) for stem in shared if claim[stem] != window[stem])
    return min(1.0, _REACH * turned / total)


def negation_differs(comparison: Comparison) -> float:
    """1 where exactly one of claim and window holds a negation at all, otherwise 0."""
    return float(_any_negated(comparison.claim_words) != _any_negated(comparison.window_words))


def hedging(comparison: Comparison) -> float:
    """1 where the window is unsure and the claim is not, −1 where it is the other way round, otherwise 0."""
    return float(_any_doubted(comparison.window_words)) - float(_any_doubted(comparison.claim_words))


def doubted_share(comparison: Comparison) -> float:
    """Share of what claim and window share that the window believes, asks, supposes or doubts wherever it has it."""
    doubted: dict[str, bool] = {}
    for word in comparison.window_words:
        for stem in content_terms(word.text):
            doubted[stem] = doubted.get(stem, True) and word.doubted
    shared = [stem for stem in comparison.claim.stems if stem in doubted]
    total = sum(comparison.rarity(stem) for stem in shared)
    return sum(comparison.rarity(stem) for stem in shared if doubted[stem]) / total if total > 0 else 0.0


def claim_negated(comparison: Comparison) -> float:
    """1 where the claim itself denies something, otherwise 0."""
    return float(_any_negated(comparison.claim_words))


def _any_negated(words: Iterable[Word]) -> bool:
    return any(word.negated for word in words)


def _any_doubted(words: Iterable[Word]) -> bool:
    return any(word.doubted for word in words)
