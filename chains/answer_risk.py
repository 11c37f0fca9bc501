"""The risk that what a piece of evidence tells is beside the point, from the question and the evidence together.

Two functions of ``answer_risk.json``: ``worth`` weighs pieces against each other; ``told`` is what that means for the
reader once an answer is written from them: the share of answers like it that were found useful.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from chains.answer.passages import VOCABULARIES, is_classing, is_recorded
from chains.relevance.match import Match, Name, match
from chains.relevance.subject import names_of
from chains.said import Said
from chains.scope import Scope
from chains.understanding import Understanding
from core.odds import log_odds, probability
from core.rarity import Rarity
from core.schema import Evidence
from core.text import content_terms, terms

FILE = Path(__file__).with_name("answer_risk.json")
"""The weights, as ``python -m eval.experiments.answer_risk_fit`` writes them."""


MAY_LACK: Mapping[str, float] = MappingProxyType({"CHEM": 0.95, "DISO": 0.5})
"""How much of its every name, by semantic group, a piece that tells of a substance or a disease may lack."""
MAY_LACK_ELSEWHERE = 0.02
"""Elsewhere than in the library, whose pages call common diseases as people do, a disease is named or not told of; but
who gives a text beside the question may leave the name out: one that has a part of it tells of a sibling."""
_LIBRARY, _GIVEN = "library", "given"


class Features(NamedTuple):
    """What the risk is computed from, each in [0, 1] but ``answered``."""

    p_answers: float
    """That the piece answers, as its relevance says."""
    outside: float
    """That no general text answers such a question, as its scope says."""
    unknown: float
    """1 where the question has a word that neither anybody knows nor the evidence has, or the piece lacks its name."""
    lacking: float
    """The share of the subject's best name, by the rarity of its words, that the piece and its title lack."""
    answered: float = 0.0
    """Of a library's piece: by how much a question that the library answers is nearer than one that it does not."""
    classed: float = 0.0
    """1 where the piece is what a vocabulary classes a thing as, or its roles: few who ask are served by that."""
    recorded: float = 0.0
    """1 where the piece is what a vocabulary records of the very aspect that is asked about: it reads like no prose."""


def calibrated(
    asked: Understanding,
    evidence: Sequence[Evidence],
    relevance: Mapping[str, float],
    scope: Scope,
    missing: Sequence[str],
    rarity: Rarity,
    *,
    answered: float = 0.0,
) -> dict[str, float]:
    """What each piece of evidence is worth as an answer, in [0, 1]; ``told`` says what that means.

    ``answered`` is by how much a question that the library answers is nearer than one that it does not.
    """
    names = names_of(asked, rarity)
    return {
        e.id: worth(features_of(asked, names, e, relevance[e.id], scope, missing, answered=answered)) for e in evidence
    }


def groups_named(asked: Understanding) -> frozenset[str]:
    """The semantic groups of what a question is surely about: what is said of others, even like ones, tells nothing."""
    return frozenset(concept.group for concept in asked.subject_concepts if concept.group and asked.sure)


def features_of(
    asked: Understanding,
    names: Sequence[Name],
    evidence: Evidence,
    p_answers: float,
    scope: Scope,
    missing: Sequence[str],
    *,
    answered: float = 0.0,
) -> Features:
    """What the risk of a piece of evidence is computed from; ``names`` are those of what is asked about."""
    named = naming(names, evidence)
    unknown = bool(missing) or 1.0 - named.near > _may_lack(groups_named(asked), evidence, named.near)
    return Features(
        p_answers,
        scope.outside,
        float(unknown),
        lacking=1.0 - named.cover,
        answered=_answered(evidence, answered),
        classed=float(is_classing(evidence)),
        recorded=float(asked.sure and is_recorded(asked, evidence)),
    )


def _answered(evidence: Evidence, answered: float) -> float:
    """What is known of the library's pieces; vocabularies were fitted without it, others count as the mean piece."""
    if evidence.source == _LIBRARY:
        return answered
    return 0.0 if evidence.source in VOCABULARIES else _fitted()["worth"]["answered_missing"]


def _may_lack(groups: frozenset[str], evidence: Evidence, near: float) -> float:
    most = dict(MAY_LACK)
    if evidence.source != _LIBRARY:
        most["DISO"] = MAY_LACK_ELSEWHERE if near or evidence.source != _GIVEN else 1.0
    return min((share for group, share in most.items() if group in groups), default=1.0)


def naming(names: Sequence[Name], evidence: Evidence) -> Match:
    """How a piece of evidence with its title carries what is asked about, by the name that it carries best."""
    told = content_terms(f"{evidence.title} {evidence.text}")
    found = [match(name, told) for name in names] or [Match(1.0, 1.0)]
    return Match(max(one.cover for one in found), max(one.near for one in found))


def missing_words(unknown: Sequence[str], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Those words that nobody knows, and that no piece of evidence has."""
    if not unknown:
        return ()
    told = {stem for piece in evidence for stem in terms(f"{piece.title} {piece.text}")}
    return tuple(word for word in unknown if not all(_told(stem, told) for stem in terms(word)))


def _told(stem: str, told: Collection[str]) -> bool:
    return any(other.startswith(stem) for other in told)


def worth(known: Features) -> float:
    """What a piece of evidence is worth as an answer, in [0, 1]: a logistic function."""
    weights = _fitted()["worth"]
    values = (log_odds(known.p_answers), log_odds(known.outside), *known[2:])
    z = weights["intercept"] + sum(weights[name] * value for name, value in zip(Features._fields, values, strict=True))
    return probability(z)


def told_of(
    weighed: Sequence[Mapping[str, float]],
    said: Sequence[Said],
    cited: Collection[str],
    *,
    compared: bool = False,
    quoted: bool = True,
) -> dict[str, float]:
    """How likely each piece of evidence tells what was asked, in an answer that cites some of them.

    Args:
        weighed: for each question the worth of each piece.
        said: what the answer says to each question.
        cited: ids of the pieces that it is made of; all of them where it names none.
        compared: the last two questions are the sides of a comparison, which answer only together, whatever the first.
        quoted: the answer is what the pieces say best to the questions. What is written otherwise, however good the
            pieces, tells no more than it reads by itself.

    Returns:
        By id, what a piece tells of the question that it suits best, and no more than what the answer tells of the
        question that it answers least.
    """
    parts = list(zip(weighed, said, strict=True))
    if compared:
        parts = [(of, one._replace(side=1.0)) for of, one in parts[-2:]]
    pieces = {piece for of, _ in parts for piece in of}
    used = pieces & set(cited) or pieces
    least = min((told(max((of.get(piece, 0.0) for piece in used), default=0.0), one) for of, one in parts), default=0.0)
    if not quoted:
        least = min([least, *(probability(one.reads) for _, one in parts)])
    return {piece: min(least, max(told(of.get(piece, 0.0), one) for of, one in parts)) for piece in pieces}


def told(worth: float, said: Said) -> float:
    """The probability that an answer from evidence worth that much, which says this, is right and to the point.

    It is never above ``best``: also of the answers that seem surest, some were found beside the point.
    """
    known = _fitted()["told"]
    z = known["intercept"] + known["worth"] * log_odds(worth)
    z += sum(known[name] * value for name, value in said._asdict().items())
    return known["best"] * probability(z)


def unread() -> float:
    """What the reader of answers found at the mean of what was fitted on, to stand where it is not there."""
    return _fitted()["told"]["reads_missing"]


@lru_cache(maxsize=1)
def _fitted() -> Mapping[str, Mapping[str, float]]:
    fitted: Mapping[str, Mapping[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return fitted
