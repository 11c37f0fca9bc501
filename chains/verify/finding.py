"""What one piece of evidence says on one claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from chains.verify.comparison import Comparison
from chains.verify.entailment import Probabilities, entailment, vetoed
from chains.verify.nearest import nearest, weights_of
from chains.verify.passage import Passage, Window, read_passage
from chains.verify.signals import measure
from chains.verify.signals.similarity import counter_claim
from chains.verify.statements.near import Run, asserted, deciding_window, near_runs, read, words_in, words_of
from chains.verify.statements.passage import stand_of
from chains.verify.statements.results import REPORT
from chains.verify.statements.stand import COPIED, NOTHING_SAID, Stand
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from chains.verify.wording import Wording, wording
from core.language.notes import disowns
from core.language.statement import Reading
from core.rarity import Rarity
from core.readers.entailment import Entailed
from core.schema import Claim, Evidence
from core.text import words

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Unit vectors of texts, texts × dimensions."""

Learned = Callable[[Sequence[tuple[str, str, str]]], Sequence[Entailed]]
"""What a reader that has learned makes of each (claim, passage, title)."""

SURE = 0.86
"""How likely support must be where no statement of the passage is the claim's: of 1,782 pairs written to mislead, 5 in
100 of those that nothing supports are then called supported (7 in 100 at 0.75)."""
TELLING = 0.8
"""Rarity of a word of the claim that the whole passage lacks, from which on words alone support nothing."""
SURE_OF_REPORTS = 0.5
"""The same of long texts, which seldom say in one sentence what they found."""
SAME_BUT_NUMBER = 0.6
"""How much of a claim, its numbers included, a sentence holds that says the same of another number."""
SURE_AGAINST = 0.7
"""How likely a contradiction must be in a short text where no statement of it is the claim's."""
UNSEEN_AGAINST = 0.03
"""A contradiction that the reader that has learned thinks less likely than this is none, whatever the statements say:
of 199 found in 900 pairs written to mislead, it thought so of two, and both were wrong."""
NEARLY_ALL = 0.9
"""How much of a claim without a statement must stand in one sentence."""
VERBATIM = Probabilities(0.99, 0.002)
"""What a copy of the evidence is given: only a damaged or misread text could make it false."""

_EMBEDDED_PER_CLAIM = 6
_EMBEDDED_PER_EVIDENCE = 4
_NEAR = 0.5
_VERBATIM_WORDS = 3
_RESERVED = frozenset(
    "only but except unless if though although however whereas not no never nor without fails mice rats animals vitro "
    "myth false untrue wrong believed believe believes thought claimed claim claims said say says alleged according "
    "supposedly reportedly allegedly once formerly unproven doubt doubtful unclear whether than instead rather "
    "retracted hypothesis hypothesised hypothesized may might could possibly perhaps when until".split()
)
"""Words after which what a sentence began with may not stand."""
_ITEM = re.compile(r"\s*(?:[-*•\u2013]|\d+[.)])\s")


@dataclass(frozen=True, eq=False)
class Finding:
    """One piece of evidence on one claim: its nearest window, the signals and the probabilities they make."""

    evidence: Evidence
    window: Window
    signals: Mapping[str, float | None]
    probabilities: Probabilities
    stand: Stand = NOTHING_SAID
    verbatim: bool = False
    report: bool = False
    """Whether it is long enough to be the report of a study."""

    @property
    def supports(self) -> bool:
        """Whether supporting is the likeliest of the three, and nothing that the passage states forbids it.

        Its statements must say so, or say nothing that was read as standing against it while the words leave little
        doubt.
        """
        p = self.probabilities
        likeliest = p.supported >= max(p.contradicted, p.neither) and not self.vetoed
        sure = p.supported >= (SURE_OF_REPORTS if self.report else SURE)
        return self.verbatim or (likeliest and (self._stated or (self.unhindered and self._worded and sure)))

    @property
    def contradicts(self) -> bool:
        """Whether contradicting is the likeliest of the three, and the passage does not state the claim.

        The reader that has learned, where it was asked, can veto that too.
        """
        if (self.signals.get("read_contradiction") or (0.0 if self.read else 1.0)) < UNSEEN_AGAINST:
            return False
        p = self.probabilities
        likeliest = p.contradicted > max(p.supported, p.neither)
        stated = self.stand.contradicts and not self.stand.supports
        of_others = self.stand.obstacle == "scope" and not self.report
        worded = self.report or (p.contradicted >= SURE_AGAINST and not of_others)
        return likeliest and not self._stated and (stated or worded)

    @property
    def read(self) -> bool:
        """Whether the reader that has learned was asked."""
        return self.signals.get("read_support") is not None

    @property
    def vetoed(self) -> bool:
        """Whether the reader that has learned does not see the support."""
        return not self.verbatim and vetoed(self.signals)

    @property
    def _stated(self) -> bool:
        return self.stand.supports and not self.stand.contradicts

    @property
    def _worded(self) -> bool:
        """Whether a claim that makes no statement, such as a note, has nearly all of its words in one sentence."""
        held, turned = (self.signals.get(name) or 0.0 for name in ("containment", "opposition"))
        return self.stand.readable or (held >= NEARLY_ALL and turned == 0.0)

    @property
    def unhindered(self) -> bool:
        """Whether nothing that was read there keeps the passage from saying so in other words."""
        found = self.signals.get("numbers_found")
        lacks = (found is not None and found < 1.0) or (
            not self.read and (self.signals.get("missing_rare") or 0.0) >= TELLING
        )
        return self.stand.obstacle is None and not self.stand.contradicts and not lacks


@dataclass(frozen=True, eq=False)
class Asked:
    """A claim as read, and how many sentences of evidence there are to look at."""

    claim: Claim
    reading: Reading
    looked_at: int


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
    passages = [(piece, read_passage(piece.text, piece.title)) for piece in evidence if piece.text.strip()]
    looked_at = sum(len(passage.sentences) for _, passage in passages)
    asked = [Asked(claim, read(claim.text), looked_at) for claim in claims]
    verbatim = [[_copied(one, piece, passage, rarity) for piece, passage in passages] for one in asked]
    candidates = [
        [] if any(copies) else _candidates(wording(claim.text), passages, rarity)
        for claim, copies in zip(claims, verbatim, strict=True)
    ]
    vectors = _vectors(claims, candidates, encode)
    opinions = _opinions(claims, candidates, learned)
    findings: list[list[Finding]] = []
    for one, copies, nearby in zip(asked, verbatim, candidates, strict=True):
        copied = [copy for copy in copies if copy]
        others = nearby or [c for c in _candidates(wording(one.claim.text), passages, rarity) if copied]
        taken = {copy.evidence.id for copy in copied}
        rest = [candidate for candidate in others if candidate.evidence.id not in taken]
        found = _compared(one, rest, vectors, opinions, rarity, vocabulary)
        if copied and (opposing := _opposing(rest, found)):
            asked_of = _opinions([one.claim], [opposing], learned)
            again = {f.evidence.id: f for f in _compared(one, opposing, vectors, asked_of, rarity, vocabulary)}
            found = [again.get(f.evidence.id, f) for f in found]
        findings.append(copied + found)
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
        signals["opening"] = float(stood.supports and stood.obstacle is None and _opens(asked.claim.text, window.text))
        long = len(passage.sentences) >= REPORT
        findings.append(Finding(evidence, window, signals, entailment(signals), stood, report=long))
    return findings


def _opens(claim: str, sentence: str) -> bool:
    """Whether a sentence begins with the claim, word for word, and goes on without taking it back."""
    said, told = _flat(claim), _flat(sentence)
    if said.count(" ") < _VERBATIM_WORDS - 1 or not told.startswith(f"{said} "):
        return False
    return _RESERVED.isdisjoint(told[len(said) :].split())


def _cosine(one: str, other: str, vectors: Mapping[str, NDArray[np.float32]]) -> float | None:
    return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None


def _copied(asked: Asked, evidence: Evidence, passage: Passage, rarity: Rarity) -> Finding | None:
    """The finding of evidence in which the claim stands word for word, as a whole sentence or a main clause of one.

    What is believed, asked, supposed or taken back there is no copy.
    """
    said = _flat(asked.claim.text)
    if said.count(" ") < _VERBATIM_WORDS - 1 or f" {said} " not in f" {_flat(evidence.text)} ":
        return None
    for windows in _holding(passage, said):
        runs = near_runs(passage, windows, evidence.title)
        # Items go with what introduces them.
        if _ITEM.match(windows[0].text) and disowns(_head(passage, windows[0])):
            continue
        told = [windows[0], *(window for window in windows[1:] if not _ITEM.match(window.text))]
        if all(_asserts(window, runs, said) for window in told):
            window, claim = passage.stretch(windows), asked.claim
            comparison = Comparison(
                wording(claim.text), window, passage, rarity, claim.subject, claim.object,
                claim_words=words_in(asked.reading), window_words=words_of(window, runs), stand=COPIED,
                looked_at=asked.looked_at,
            )  # fmt: skip
            return Finding(evidence, window, measure(comparison), VERBATIM, COPIED, verbatim=True)
    return None


def _holding(passage: Passage, said: str) -> Iterator[tuple[Window, ...]]:
    """The sentences in which a claim stands: one that has it, or neighbours that together are it, as of a list."""
    single = passage.sentences
    for place, window in enumerate(single):
        text = _flat(window.text)
        if f" {said} " in f" {text} ":
            yield (window,)
        for end in range(place + 1, len(single)):
            if not said.startswith(f"{text} "):
                break
            text = f"{text} {_flat(single[end].text)}"
            if text == said:
                yield single[place : end + 1]


def _head(passage: Passage, item: Window) -> str:
    """The sentence that introduces an item; empty where none does."""
    before = [window for window in passage.sentences if window.start < item.start and not _ITEM.match(window.text)]
    return before[-1].text if before else ""


def _asserts(window: Window, runs: Sequence[Run], said: str) -> bool:
    """Whether a sentence asserts a claim that stands in it, or its own part of one."""
    own = _flat(window.text)
    wanted = said if f" {said} " in f" {own} " else own
    return any(wanted == _flat(text) for text in asserted(window, runs))


@lru_cache(maxsize=16_384)
def _flat(text: str) -> str:
    """The words of a text in lower case, without what stands between them."""
    return " ".join(span.text.lower() for span in words(text))
