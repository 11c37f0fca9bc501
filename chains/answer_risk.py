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

from chains.scope import Scope
from core.schema import Evidence
from core.text import terms

_FILE = Path(__file__).with_name("answer_risk.json")
_LEAST = 0.005
"""Probabilities nearer to 0 or 1 are not told apart."""


class Features(NamedTuple):
    """What the risk is computed from, each in [0, 1]."""

    p_answers: float
    """That the piece answers, as its relevance says."""
    outside: float
    """That no general text answers such a question, as its scope says."""
    unknown: float
    """1 where the question has a word that neither anybody knows nor the evidence has."""


def calibrated(relevance: Mapping[str, float], scope: Scope, missing: Sequence[str]) -> dict[str, float]:
    """The probability that an answer from each piece of evidence is right and to the point."""
    unknown = float(bool(missing))
    return {key: 1.0 - answer_risk(Features(p, scope.outside, unknown)) for key, p in relevance.items()}


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
        + weights["p_answers"] * _logit(known.p_answers)
        + weights["outside"] * _logit(known.outside)
        + weights["unknown"] * known.unknown
    )
    return 1.0 / (1.0 + math.exp(z))


def _logit(p: float) -> float:
    p = min(1.0 - _LEAST, max(_LEAST, p))
    return math.log(p / (1.0 - p))


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    weights: Mapping[str, float] = json.loads(_FILE.read_text(encoding="utf-8"))
    return weights
