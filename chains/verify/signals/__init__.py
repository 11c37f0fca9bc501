"""The signals of verification: each looks at one claim beside one window of evidence and returns one number.

A signal is None where it is not available. A new one is a function of a Comparison and an entry of ``SIGNALS``; it
takes part in the probabilities once ``coefficients.json`` has been fitted with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from chains.verify.comparison import Comparison
from chains.verify.signals.antonyms import antonym_agreement, antonym_conflict
from chains.verify.signals.containment import (
    containment,
    containment_passage,
    containment_reverse,
    containment_titled,
    evidence_length,
    jaccard,
    missing_rare,
    object_containment,
    subject_containment,
)
from chains.verify.signals.learned import read_contradiction, read_support
from chains.verify.signals.negation import claim_negated, doubted_share, hedging, negation_conflict, negation_differs
from chains.verify.signals.quantities import number_conflict, numbers_found
from chains.verify.signals.similarity import counter_margin, similarity
from chains.verify.signals.stated import (
    frame_conflict,
    framed,
    joined,
    leans,
    limited,
    relation_match,
    reversed_roles,
    scope_conflict,
    stated_contradiction,
    stated_support,
)

Signal = Callable[[Comparison], float | None]

SIGNALS: Mapping[str, Signal] = MappingProxyType(
    {
        "containment": containment,
        "containment_titled": containment_titled,
        "containment_passage": containment_passage,
        "containment_reverse": containment_reverse,
        "evidence_length": evidence_length,
        "jaccard": jaccard,
        "missing_rare": missing_rare,
        "subject": subject_containment,
        "object": object_containment,
        "similarity": similarity,
        "counter_margin": counter_margin,
        "negation": negation_conflict,
        "negation_differs": negation_differs,
        "claim_negated": claim_negated,
        "hedging": hedging,
        "antonyms": antonym_conflict,
        "agreement": antonym_agreement,
        "number_conflict": number_conflict,
        "numbers_found": numbers_found,
        "stated_support": stated_support,
        "stated_contradiction": stated_contradiction,
        "relation_match": relation_match,
        "frame_conflict": frame_conflict,
        "scope_conflict": scope_conflict,
        "joined": joined,
        "reversed_roles": reversed_roles,
        "leans": leans,
        "framed": framed,
        "limited": limited,
        "doubted": doubted_share,
        "read_support": read_support,
        "read_contradiction": read_contradiction,
    }
)


def measure(comparison: Comparison) -> dict[str, float | None]:
    """All signals of one comparison by name."""
    return {name: signal(comparison) for name, signal in SIGNALS.items()}
