"""The risk that what a piece of evidence tells is beside the point, from the question and the evidence together.

One logistic function decides; ``answer_risk.json`` holds its coefficients. All that comes after weighs evidence by it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from chains.relevance.match import Name, match
from chains.relevance.subject import names_of
from chains.scope import Scope
from chains.understand import Understanding
from core.odds import log_odds
from core.rarity import Rarity
from core.schema import Evidence
from core.text import content_terms, terms

FILE = Path(__file__).with_name("answer_risk.json")
"""The weights, as ``python -m eval.experiments.answer_risk_fit`` writes them."""


class Features(NamedTuple):
    """What the risk is computed from, each in [0, 1]."""

    p_answers: float
    """That the piece answers, as its relevance says."""
    outside: float
    """That no general text answers such a question, as its scope says."""
    unknown: float
    """1 where the question has a word that neither anybody knows nor the evidence has."""
    lacking: float
    """The share of the subject's best name, by the rarity of its words, that the piece and its title lack."""


def calibrated(
    asked: Understanding,
    evidence: Sequence[Evidence],
    relevance: Mapping[str, float],
    scope: Scope,
    missing: Sequence[str],
    rarity: Rarity,
) -> dict[str, float]:
    """The probability that an answer from each piece of evidence is right and to the point."""
    names, unknown = names_of(asked, rarity), float(bool(missing))
    return {
        e.id: 1.0 - answer_risk(Features(relevance[e.id], scope.outside, unknown, lacking(names, e, rarity)))
        for e in evidence
    }


def lacking(names: Sequence[Name], evidence: Evidence, rarity: Rarity) -> float:
    """What a piece of evidence with its title lacks of the name that it has most of."""
    told = content_terms(f"{evidence.title} {evidence.text}")
    return 1.0 - max((match(name, told, rarity).cover for name in names), default=1.0)


def missing_words(unknown: Sequence[str], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Those words that nobody knows, and that no piece of evidence has."""
    if not unknown:
        return ()
    told = {stem for piece in evidence for stem in terms(f"{piece.title} {piece.text}")}
    return tuple(word for word in unknown if not all(_told(stem, told) for stem in terms(word)))


def _told(stem: str, told: Collection[str]) -> bool:
    return any(other.startswith(stem) for other in told)


def answer_risk(known: Features) -> float:
    """The probability that an answer is wrong or beside the point."""
    weights = _weights()
    z = (
        weights["intercept"]
        + weights["p_answers"] * log_odds(known.p_answers)
        + weights["outside"] * log_odds(known.outside)
        + weights["unknown"] * known.unknown
        + weights["lacking"] * known.lacking
    )
    return 1.0 / (1.0 + math.exp(z))


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    weights: Mapping[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return weights
