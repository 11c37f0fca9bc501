"""Each claim with each piece of evidence: where they are compared, and what is found there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from chains.verify.aligned import in_measures_of, unmeasured
from chains.verify.chance import by_chance
from chains.verify.comparison import Comparison
from chains.verify.copied import Asked, copied, opens
from chains.verify.counted import counted, left_open
from chains.verify.entailment import entailment
from chains.verify.finding import Finding
from chains.verify.nearest import nearest, weights_of
from chains.verify.passage import Passage, Window, read_passage
from chains.verify.report import REPORT, cut_up, report, speaks_as_one
from chains.verify.signals import measure
from chains.verify.signals.similarity import counter_claim
from chains.verify.statements.near import deciding_window, near_runs, read, words_in, words_of
from chains.verify.statements.passage import stand_of
from chains.verify.statements.stand import Stand
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from chains.verify.wording import Wording, wording
from core.embeddings import Encode
from core.rarity import Rarity
from core.readers.entailment import Entailed
from core.schema import Claim, Evidence

Learned = Callable[[Sequence[tuple[str, str, str]]], Sequence[Entailed]]
"""What a reader that has learned makes of each (claim, passage, title)."""
Examined = Callable[[Sequence[Claim], Sequence[Evidence]], list[list[Finding]]]
"""What is found of claims in some of the evidence that is looked at."""
SAME_BUT_NUMBER = 0.6
"""How much of a claim, its numbers included, a sentence holds that says the same of another number."""
_EMBEDDED_PER_CLAIM = 6
_EMBEDDED_PER_EVIDENCE = 4
_NEAR = 0.5


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A window that a claim may be compared with, before anything is embedded."""

    evidence: Evidence
    passage: Passage
    window: Window
    score: float


def examine(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    encode: Encode,
    rarity: Rarity,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
) -> list[list[Finding]]:
    """For each claim what each piece of evidence says on it; evidence without text says nothing.

    A claim that stands verbatim in a piece of evidence costs no embedding; for the others the six nearest windows
    at most are embedded, all claims in one batch, and the sentences around them read; so does the reader that has
    learned, where there is one, all claims in one call. Of a claim that stands verbatim somewhere it reads what seems
    to contradict it. Evidence whose nearest window has less than half the word
    score of the best one is left out: it says nothing.
    """
    whole = [read_passage(piece.text, piece.title) for piece in evidence if piece.text.strip()]
    looked_at, one_report = sum(len(passage.sentences) for passage in whole), cut_up(whole)

    def examined(asked: Sequence[Claim], of: Sequence[Evidence]) -> list[list[Finding]]:
        to_ask = [Asked(claim, read(claim.text), looked_at, one_report) for claim in asked]
        return _examined(to_ask, of, encode, rarity, vocabulary, learned)

    found = examined(claims, evidence)
    return [_measured_alike(claim, own, examined) for claim, own in zip(claims, found, strict=True)]


def _measured_alike(claim: Claim, found: Sequence[Finding], examined: Examined) -> list[Finding]:
    """The findings, those anew where the evidence gives a measure of the claim in other words.

    That both measure alike is no reason to contradict.
    """

    def anew(one: Finding) -> Finding:
        text = claim.text if one.supports else in_measures_of(one.evidence.text, claim.text)
        if text == claim.text:
            return one
        worded = claim.model_copy(update={"text": text})
        again = examined([worded], [one.evidence])[0]
        return again[0] if again and (one.contradicts or not again[0].contradicts) else one

    return [anew(one) for one in found]


def _examined(
    asked: Sequence[Asked],
    evidence: Sequence[Evidence],
    encode: Encode,
    rarity: Rarity,
    vocabulary: Vocabulary,
    learned: Learned | None,
) -> list[list[Finding]]:
    passages = [(piece, read_passage(piece.text, piece.title)) for piece in evidence if piece.text.strip()]
    claims = [one.claim for one in asked]
    verbatim = [[copied(one, piece, passage, rarity) for piece, passage in passages] for one in asked]
    candidates = [
        [] if any(copies) else _candidates(wording(claim.text), passages, rarity)
        for claim, copies in zip(claims, verbatim, strict=True)
    ]
    vectors = _vectors(claims, candidates, encode)
    opinions = _opinions(claims, candidates, learned)
    findings: list[list[Finding]] = []
    for one, copies, nearby in zip(asked, verbatim, candidates, strict=True):
        same = [copy for copy in copies if copy]
        others = nearby or [c for c in _candidates(wording(one.claim.text), passages, rarity) if same]
        taken = {copy.evidence.id for copy in same}
        rest = [candidate for candidate in others if candidate.evidence.id not in taken]
        found = _compared(one, rest, vectors, opinions, rarity, vocabulary)
        if same and (opposing := _opposing(rest, found)):
            asked_of = _opinions([one.claim], [opposing], learned)
            again = {f.evidence.id: f for f in _compared(one, opposing, vectors, asked_of, rarity, vocabulary)}
            found = [again.get(f.evidence.id, f) for f in found]
        findings.append(same + found)
    return findings


def _opposing(candidates: Sequence[_Candidate], found: Sequence[Finding]) -> list[_Candidate]:
    """The candidates of the evidence that was found to contradict a claim."""
    against = {finding.evidence.id for finding in found if finding.contradicts}
    return [candidate for candidate in candidates if candidate.evidence.id in against]


def _opinions(
    claims: Sequence[Claim], candidates: Sequence[Sequence[_Candidate]], learned: Learned | None
) -> dict[tuple[str, str], Entailed]:
    """What the reader that has learned makes of each claim (by its text) and piece of evidence (by its id)."""
    if learned is None:
        return {}
    asked = {
        (claim.text, candidate.evidence.id): (claim.text, candidate.passage.text, candidate.evidence.title)
        for claim, nearby in zip(claims, candidates, strict=True)
        for candidate in nearby
    }
    return dict(zip(asked, learned(list(asked.values())), strict=True)) if asked else {}


def _candidates(claim: Wording, passages: Sequence[tuple[Evidence, Passage]], rarity: Rarity) -> list[_Candidate]:
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
    asked: Asked,
    candidates: Sequence[_Candidate],
    vectors: Mapping[str, NDArray[np.float32]],
    opinions: Mapping[tuple[str, str], Entailed],
    rarity: Rarity,
    vocabulary: Vocabulary,
) -> list[Finding]:
    """A finding a piece of evidence: where a statement decides, or at its window of most shared words and sense."""
    findings: list[Finding] = []
    for _, group in groupby(candidates, lambda candidate: candidate.evidence.id):
        nearby = list(group)
        scored = [(c.score + (_cosine(asked.claim.text, c.window.text, vectors) or 0.0), c.window) for c in nearby]
        window = max(scored, key=lambda pair: pair[0])[1]
        passage, evidence = nearby[0].passage, nearby[0].evidence
        runs = near_runs(passage, [c.window for c in nearby], evidence.title)
        stood = stand_of(asked.reading, [run.reading for run in runs], passage, vocabulary)
        window = deciding_window(passage, runs, stood) or window
        comparison = Comparison(
            wording(asked.claim.text),
            window,
            passage,
            rarity,
            asked.claim.subject,
            asked.claim.object,
            _cosine(asked.claim.text, window.text, vectors),
            _cosine(counter_claim(asked.claim.text), window.text, vectors),
            words_in(asked.reading),
            words_of(window, runs),
            stood,
            asked.looked_at,
            opinions.get((asked.claim.text, evidence.id)),
        )
        signals = measure(comparison)
        if (
            not stood.supports
            and signals["number_conflict"] == 1.0
            and (signals["containment"] or 0.0) >= SAME_BUT_NUMBER
        ):
            stood = replace(stood, contradicts=True, why="it gives another number")
            signals["stated_contradiction"] = 1.0
        signals["opening"] = float(stood.supports and stood.obstacle is None and opens(asked.claim.text, window.text))
        stood = _by_figures(comparison, stood, signals, vocabulary)
        degree = report(passage, asked.cut_up)
        signals["report"] = degree
        long, spoken = len(passage.sentences) >= REPORT, asked.cut_up or speaks_as_one(passage.text)
        made = entailment(signals)
        findings.append(Finding(evidence, window, signals, made, stood, long=long, report=degree, spoken=spoken))
    return findings


def _by_figures(
    comparison: Comparison, stood: Stand, signals: dict[str, float | None], vocabulary: Vocabulary
) -> Stand:
    """What is said of a claim that compares groups where the passage gives their figures: by these alone."""
    claim, passage = comparison.claim.text, comparison.passage.text
    figured = counted(claim, passage, vocabulary.link)
    signals["unmeasured"] = float(unmeasured(passage, claim))
    signals["chance"] = float(by_chance(claim, comparison.passage.onward(comparison.window)))
    if figured is None:
        signals["counted"] = 0.0 if left_open(claim, passage) else None
        return stood
    signals["counted"] = float(figured.toward)
    for_it = figured.toward > 0
    signals["stated_support"], signals["stated_contradiction"] = float(for_it), float(not for_it)
    why = "" if for_it else "its figures say the opposite"
    return replace(stood, supports=for_it, contradicts=not for_it, obstacle=None, why=why)


def _cosine(one: str, other: str, vectors: Mapping[str, NDArray[np.float32]]) -> float | None:
    return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None
