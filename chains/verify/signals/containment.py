"""How much of the claim is in the evidence, word by word, each word weighing what it tells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from chains.verify.comparison import Comparison
from core.rarity import Rarity
from core.text import content_terms


def containment(comparison: Comparison) -> float | None:
    """Share of the claim's content that its nearest window holds, in [0, 1]; None for a claim without content."""
    return share(comparison.claim.stems, comparison.rarity, comparison.window.holds)


def containment_titled(comparison: Comparison) -> float | None:
    """The same where the title counts too: a passage seldom repeats the subject that its title names."""
    title = comparison.passage.title.stems
    window = comparison.window
    return share(comparison.claim.stems, comparison.rarity, lambda stem: 1.0 if stem in title else window.holds(stem))


def containment_passage(comparison: Comparison) -> float | None:
    """Share of the claim's content that the passage and its title hold anywhere."""
    return share(comparison.claim.stems, comparison.rarity, comparison.passage.holds)


def containment_reverse(comparison: Comparison) -> float | None:
    """Share of the window's content that the claim holds: low where the window says much more than the claim."""
    claim = comparison.claim.stems
    return share(comparison.window.wording.stems, comparison.rarity, lambda stem: 1.0 if stem in claim else 0.0)


def missing_rare(comparison: Comparison) -> float:
    """Weight of the most telling word of the claim that the whole passage lacks; 0 where it lacks none."""
    return max(
        (
            comparison.rarity(stem) * (1.0 - comparison.passage.holds(stem))
            for stem in comparison.claim.stems
            if not stem.isdigit()
        ),
        default=0.0,
    )


def subject_containment(comparison: Comparison) -> float | None:
    """Share of the content of the claim's subject that the passage or its title holds; None without a subject."""
    return _part(comparison.subject, comparison)


def object_containment(comparison: Comparison) -> float | None:
    """Share of the content of the claim's object that the passage or its title holds; None without an object."""
    return _part(comparison.object, comparison)


def _part(words: str | None, comparison: Comparison) -> float | None:
    return share(content_terms(words), comparison.rarity, comparison.passage.holds) if words else None


def jaccard(comparison: Comparison) -> float | None:
    """Shared stems over all stems of claim and window, unweighted."""
    claim, window = comparison.claim.stems, comparison.window.wording.stems
    return len(claim & window) / len(claim | window) if claim | window else None


def share(stems: Iterable[str], rarity: Rarity, holds: Callable[[str], float]) -> float | None:
    """``Σ rarity · holds / Σ rarity`` over the stems; None where they carry no weight."""
    total = held = 0.0
    for stem in stems:
        weight = rarity(stem)
        total += weight
        held += weight * holds(stem)
    return held / total if total > 0 else None


def evidence_length(comparison: Comparison) -> float:
    """Natural logarithm of how many sentences were looked at: of more, the best comes nearer by chance."""
    return math.log(max(1, comparison.looked_at))
