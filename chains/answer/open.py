"""An answer made of the evidence's own sentences, each with its citation: one source told, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from chains.answer.passages import VOCABULARIES, passages
from chains.answer.sentences import Unit, units_of
from chains.relevance.subject import place_in_document, read_passage
from chains.understand import Understanding
from core.schema import Claim, Draft, Evidence
from core.text import content_terms, words

Score = Callable[[str, Sequence[str], str], Sequence[float]]
"""How likely each sentence under a title answers a question, in [0, 1]."""

_LIKE = 0.6
_WITHIN = 0.85
_NEAR = 0.85
"""Of the best passage's likelihood, what another needs to be told beside it."""
_LEAST_OF_PART = 3
_PASSAGES = 4
"""Passages of one question that are read for sentences."""
_ENOUGH = 0.45
"""Of the best sentence's worth, what another needs to be told."""
_OPENS, _FOLLOWS = 0.1, 0.05
"""What speaks for the sentence that opens a passage, and for one next to a sentence that is told."""


class _Candidate(NamedTuple):
    """A piece of a passage with its place among all candidates and what it is worth."""

    unit: Unit
    place: int
    worth: float


class Part(NamedTuple):
    """One of the questions that were asked, and how likely each piece of evidence answers it."""

    understanding: Understanding
    relevance: Mapping[str, float]


def answer_open(
    parts: Sequence[Part],
    evidence: Sequence[Evidence],
    *,
    score: Score,
    max_sentences: int,
    max_words: int | None = None,
    told: Sequence[str] = (),
) -> Draft:
    """A short answer of verbatim sentences to each part of a question; empty where no evidence qualifies.

    Every sentence is one claim that cites its evidence; a list counts as one sentence. ``max_words`` bounds the whole;
    the best sentence that fits is always given. ``told`` are sentences that the reader is given already.
    """
    share = max(_LEAST_OF_PART, -(-max_sentences // len(parts))) if len(parts) > 1 else max_sentences
    share = min(share, max_sentences)
    given: list[list[Unit]] = []
    known = [_stems(text) for text in told]
    left = 10**9 if max_words is None else max_words
    for part in parts:
        picked = _answer_part(part, evidence, score, share, left, known)
        known += [unit.stems for unit in picked]
        left -= sum(len(words(unit.text)) for unit in picked)
        given.append(picked)
    return _draft([picked for picked in given if picked])


def _answer_part(
    part: Part, evidence: Sequence[Evidence], score: Score, most: int, max_words: int, known: Sequence[frozenset[str]]
) -> list[Unit]:
    """The sentences that carry the answer, of the likeliest passage and those near it, each document in its order."""
    candidates = _candidates(part, evidence, score, known)
    top = max((c.worth for c in candidates), default=0.0)
    picked: dict[int, _Candidate] = {}
    left = max_words
    waiting = list(candidates)
    while waiting and len(picked) < most:
        best = max(waiting, key=lambda c: c.worth + _FOLLOWS * _is_next(c, candidates, picked))
        waiting.remove(best)
        if picked and best.worth < _ENOUGH * top:
            break
        before = candidates[best.place - 1] if best.unit.dangling and _follows(best, candidates) else None
        wanted = [c for c in (before, best) if c is not None and c.place not in picked]
        wanted = wanted if len(picked) + len(wanted) <= most else []
        size = sum(len(words(c.unit.text)) for c in wanted)
        if size > left and not picked:
            wanted, size = [best], len(words(best.unit.text))
        if wanted and size <= left and not any(_repeats(best.unit.stems, c.unit.stems) for c in picked.values()):
            picked |= {c.place: c for c in wanted}
            left -= size
    return [picked[place].unit for place in sorted(picked)]


def _candidates(
    part: Part, evidence: Sequence[Evidence], score: Score, known: Sequence[frozenset[str]]
) -> list[_Candidate]:
    """The pieces of the likeliest passages, documents by likelihood, passages and pieces as they are written."""
    ranked = passages(part.understanding, evidence, part.relevance)
    near = [(e, p) for e, p in ranked if p >= _NEAR * ranked[0][1]][:_PASSAGES]
    if near and near[0][0].source not in VOCABULARIES:
        near = [(e, p) for e, p in near if e.source not in VOCABULARIES]
    documents = list(dict.fromkeys(read_passage(e).document for e, _ in near))
    near.sort(key=lambda pair: (documents.index(read_passage(pair[0]).document), place_in_document(pair[0])))
    found: list[_Candidate] = []
    for passage, p in near:
        units = [u for u in units_of(passage) if not u.boilerplate]
        units = [u for u in units if not any(_repeats(u.stems, stems) for stems in known)]
        scores = score(part.understanding.text, [u.text for u in units], passage.title) if units else ()
        for unit, value in zip(units, scores, strict=True):
            found.append(_Candidate(unit, len(found), p / ranked[0][1] * value + _OPENS * (unit.order == 0)))
    return found


def _follows(piece: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """Whether the candidate before it is what it follows in its passage."""
    before = candidates[piece.place - 1].unit if piece.place else None
    return before is not None and before.evidence.id == piece.unit.evidence.id


def _is_next(piece: _Candidate, candidates: Sequence[_Candidate], picked: Mapping[int, _Candidate]) -> bool:
    after = piece.place + 1
    return (piece.place - 1 in picked and _follows(piece, candidates)) or (
        after in picked and _follows(candidates[after], candidates)
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    union, smaller = len(one | other), min(len(one), len(other))
    return not smaller or common / union >= _LIKE or common / smaller >= _WITHIN


def _draft(given: Sequence[Sequence[Unit]]) -> Draft:
    """The parts as paragraphs."""
    text = ""
    claims: list[Claim] = []
    for picked in given:
        for place, unit in enumerate(picked):
            text += "" if not text else " " if place else "\n\n"
            start = len(text)
            text += unit.text
            claims.append(Claim(text=unit.text, span=(start, len(text)), cited=(unit.evidence.id,)))
    citations = tuple(dict.fromkeys(c.cited[0] for c in claims))
    return Draft(text=text, citations=citations, claims=tuple(claims))
