"""What one piece of evidence says on one claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chains.verify.comparison import Comparison
from chains.verify.entailment import Probabilities, entailment
from chains.verify.nearest import nearest, weights_of
from chains.verify.passage import Passage, Window, read_passage
from chains.verify.reading import Reading, read
from chains.verify.signals import measure
from chains.verify.signals.negation import hedging, negation_conflict
from chains.verify.signals.similarity import counter_claim
from core.rarity import Rarity
from core.schema import Claim, Evidence
from core.text import words

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Unit vectors of texts, texts × dimensions."""

VERBATIM = Probabilities(0.99, 0.002)
"""What a copy of the evidence is given: only a damaged or misread text could make it false."""

_EMBEDDED_PER_CLAIM = 6
_EMBEDDED_PER_EVIDENCE = 4
_NEAR = 0.5
_VERBATIM_WORDS = 3
_USUAL = 0.7


@dataclass(frozen=True, eq=False)
class Finding:
    """One piece of evidence on one claim: its nearest window, the signals and the probabilities they make."""

    evidence: Evidence
    window: Window
    signals: Mapping[str, float | None]
    probabilities: Probabilities
    verbatim: bool = False

    @property
    def supports(self) -> bool:
        """Whether supporting is the likeliest of the three."""
        p = self.probabilities
        return p.supported >= max(p.contradicted, p.neither)

    @property
    def contradicts(self) -> bool:
        """Whether contradicting is the likeliest of the three."""
        p = self.probabilities
        return p.contradicted > max(p.supported, p.neither)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A window that a claim may be compared with, before anything is embedded."""

    evidence: Evidence
    passage: Passage
    window: Window
    score: float


def examine(
    claims: Sequence[Claim], evidence: Sequence[Evidence], encode: Encode, rarity: Rarity
) -> list[list[Finding]]:
    """For each claim what each piece of evidence says on it; evidence without text says nothing.

    A claim that stands verbatim in a piece of evidence costs no embedding; for the others the six nearest windows
    at most are embedded, all claims in one batch. Evidence whose nearest window has less than half the word score of
    the best one is left out: it says nothing.
    """
    passages = [(piece, read_passage(piece.text, piece.title)) for piece in evidence if piece.text.strip()]
    verbatim = [[_copied(claim, piece, passage, rarity) for piece, passage in passages] for claim in claims]
    candidates = [
        [] if any(copies) else _candidates(read(claim.text), passages, rarity)
        for claim, copies in zip(claims, verbatim, strict=True)
    ]
    vectors = _vectors(claims, candidates, encode)
    every = [passage for _, passage in passages]
    findings: list[list[Finding]] = []
    for claim, copies, nearby in zip(claims, verbatim, candidates, strict=True):
        copied = [copy for copy in copies if copy]
        others = nearby or [c for c in _candidates(read(claim.text), passages, rarity) if copied]
        taken = {copy.evidence.id for copy in copied}
        telling = _telling(read(claim.text), every, rarity)
        rest = [candidate for candidate in others if candidate.evidence.id not in taken]
        findings.append(copied + _compared(claim, rest, vectors, rarity, telling))
    return findings


def _candidates(claim: Reading, passages: Sequence[tuple[Evidence, Passage]], rarity: Rarity) -> list[_Candidate]:
    """The best windows of every piece of evidence, without those that are far behind the best of all."""
    weights = weights_of(claim, rarity)
    count = min(_EMBEDDED_PER_EVIDENCE, max(1, _EMBEDDED_PER_CLAIM // max(1, len(passages))))
    found = [
        _Candidate(piece, passage, window, score)
        for piece, passage in passages
        for score, window in nearest(weights, passage, count)
    ]
    best = max((candidate.score for candidate in found), default=0.0)
    return [candidate for candidate in found if best <= 0.0 or candidate.score >= _NEAR * best]


def _telling(claim: Reading, passages: Sequence[Passage], rarity: Rarity) -> dict[str, float]:
    """The rare words of a claim that at least one of several passages has, with what each tells beyond the usual."""
    if len(passages) < 2:
        return {}
    rare = {stem: (rarity(stem) - _USUAL) / (1.0 - _USUAL) for stem in claim.stems if not stem.isdigit()}
    return {
        stem: weight
        for stem, weight in rare.items()
        if weight > 0 and any(passage.holds(stem) == 1.0 for passage in passages)
    }


def _vectors(
    claims: Sequence[Claim], candidates: Sequence[Sequence[_Candidate]], encode: Encode
) -> dict[str, NDArray[np.float32]]:
    texts: dict[str, None] = {}
    for claim, nearby in zip(claims, candidates, strict=True):
        best = sorted(nearby, key=lambda candidate: -candidate.score)[:_EMBEDDED_PER_CLAIM]
        if best:
            texts.update(dict.fromkeys((claim.text, counter_claim(claim.text), *(c.window.text for c in best))))
    return dict(zip(texts, encode(list(texts)), strict=True)) if texts else {}


def _compared(
    claim: Claim,
    candidates: Sequence[_Candidate],
    vectors: Mapping[str, NDArray[np.float32]],
    rarity: Rarity,
    telling: Mapping[str, float],
) -> list[Finding]:
    """A finding a piece of evidence: at its window of the highest word score and similarity together."""
    best: dict[str, tuple[float, _Candidate, float | None]] = {}
    vector = vectors.get(claim.text)
    for candidate in candidates:
        other = vectors.get(candidate.window.text)
        similarity = float(vector @ other) if vector is not None and other is not None else None
        total = candidate.score + (similarity or 0.0)
        if candidate.evidence.id not in best or total > best[candidate.evidence.id][0]:
            best[candidate.evidence.id] = (total, candidate, similarity)
    counter = vectors.get(counter_claim(claim.text)) if vector is not None else None
    findings: list[Finding] = []
    for _, candidate, similarity in best.values():
        opposite = None
        if similarity is not None and counter is not None:
            opposite = float(counter @ vectors[candidate.window.text])
        comparison = Comparison(
            read(claim.text),
            candidate.window,
            candidate.passage,
            rarity,
            claim.subject,
            claim.object,
            similarity,
            opposite,
        )
        lacking = (weight * (1.0 - candidate.passage.holds(stem)) for stem, weight in telling.items())
        signals = {**measure(comparison), "foreign": max(lacking, default=0.0)}
        findings.append(Finding(candidate.evidence, candidate.window, signals, entailment(signals)))
    return findings


def _copied(claim: Claim, evidence: Evidence, passage: Passage, rarity: Rarity) -> Finding | None:
    """The finding of evidence in which the claim stands word for word, and is neither denied nor doubted there."""
    said = _flat(claim.text)
    if said.count(" ") < _VERBATIM_WORDS - 1 or f" {said} " not in f" {_flat(evidence.text)} ":
        return None
    for window in passage.windows:
        if f" {said} " in f" {_flat(window.text)} ":
            comparison = Comparison(read(claim.text), window, passage, rarity, claim.subject, claim.object)
            if hedging(comparison) > 0 or negation_conflict(comparison) > 0:
                return None
            return Finding(evidence, window, measure(comparison), VERBATIM, verbatim=True)
    return None


@lru_cache(maxsize=16_384)
def _flat(text: str) -> str:
    """The words of a text in lower case, without what stands between them."""
    return " ".join(span.text.lower() for span in words(text))
