"""The risk that an answer is wrong or beside the point, from what is known of the question and of the evidence.

One logistic function decides; ``answer_risk.json`` holds its coefficients.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
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
    """Of the likeliest piece of evidence; of several questions, that of the one with the best."""
    outside: float
    """That no general text answers such a question."""
    unknown: float
    """1 where the question has a word that neither anybody knows nor the evidence has."""


def features(relevance: Mapping[str, float], scope: Scope, missing: Sequence[str]) -> Features:
    """The features of an answer from evidence with these likelihoods."""
    return Features(max(relevance.values(), default=0.0), scope.outside, float(bool(missing)))


def missing_words(unknown: Sequence[str], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Those words that nobody knows, and that no piece of evidence has."""
    if not unknown:
        return ()
    told = {stem for piece in evidence for stem in terms(f"{piece.title} {piece.text}")}
    return tuple(word for word in unknown if not set(terms(word)) <= told)


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
