"""An answer made of the evidence's own sentences, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chains.answer.sentences import Unit, units_of
from chains.lexicon import aspects
from chains.relevance.match import Name, match
from chains.relevance.subject import names_of, place_in_document, read_passage
from chains.understand import Understanding
from core.rarity import Rarity
from core.schema import Claim, Draft, Evidence
from core.text import content_terms, words

Encode = Callable[[Sequence[str]], NDArray[np.float32]]

LEAST_RELEVANCE = 0.2
"""Evidence of a lower p_answers is not quoted, not even for the reader to see why nothing is answered."""

_RELATIVE_RELEVANCE = 0.7
_MOST_PASSAGES = 6
_MOST_ENCODED = 14
_LIKE = 0.6
_WITHIN = 0.85
_ENOUGH = 0.6
_ENOUGH_ELSEWHERE = 0.8
_WEIGHTS = {"similar": 1.0, "aspect": 0.45, "subject": 0.35, "early": 0.25, "defines": 0.4, "list": 0.1}
_DANGLING_COST = 0.15
_RANK_COST = 0.2
_LONG_WORDS = 40


class _Scored:
    """A unit with what speaks for it; ``rank`` is its document's, ``place`` its passage's in reading order."""

    def __init__(self, unit: Unit, rank: int, place: int, score: float) -> None:
        self.unit = unit
        self.rank = rank
        self.place = place
        self.score = score
        self.stems = unit.stems

    @property
    def reading_order(self) -> tuple[int, int, int]:
        """Documents by relevance, each as it is written."""
        return self.rank, self.place, self.unit.order


def answer_open(
    understanding: Understanding,
    ranked: Sequence[tuple[Evidence, float]],
    *,
    encode: Encode,
    rarity: Rarity,
    max_sentences: int,
    max_words: int | None = None,
) -> Draft:
    """A short answer of verbatim sentences, the most relevant evidence first; empty where none qualifies.

    ``ranked`` are pieces of evidence with the probability that each answers the question, in any order. Every sentence
    is one claim that cites its evidence; a list counts as one sentence. ``max_words`` bounds the whole; the best
    sentence that fits is always given.
    """
    chosen = _qualified(ranked)
    scored = _scored(understanding, chosen, encode, rarity)
    picked = _pick(scored, max_sentences, max_words)
    return _draft(picked)


def _qualified(ranked: Sequence[tuple[Evidence, float]]) -> list[list[Evidence]]:
    """The passages to quote from by document: the most relevant document first, its passages in their order."""
    ordered = sorted(ranked, key=lambda pair: -pair[1])
    if not ordered or ordered[0][1] < LEAST_RELEVANCE:
        return []
    least = max(LEAST_RELEVANCE, _RELATIVE_RELEVANCE * ordered[0][1])
    documents: dict[str, list[Evidence]] = {}
    for evidence, _ in [pair for pair in ordered if pair[1] >= least][:_MOST_PASSAGES]:
        documents.setdefault(read_passage(evidence).document, []).append(evidence)
    return [sorted(passages, key=place_in_document) for passages in documents.values()]


def _scored(
    understanding: Understanding, documents: Sequence[Sequence[Evidence]], encode: Encode, rarity: Rarity
) -> list[_Scored]:
    names = names_of(understanding, rarity)
    units = [
        _Scored(unit, rank, place, _by_words(understanding, names, unit, rarity))
        for rank, passages in enumerate(documents)
        for place, evidence in enumerate(passages)
        for unit in units_of(evidence)
    ]
    units = [s for s in units if not s.unit.boilerplate] or units
    kept = sorted(units, key=lambda s: (_RANK_COST * s.rank - s.score, s.reading_order))[:_MOST_ENCODED]
    if kept:
        vectors = encode([understanding.text, *(" ".join(s.unit.text.split()[:_LONG_WORDS]) for s in kept)])
        for piece, similarity in zip(kept, vectors[1:] @ vectors[0], strict=True):
            piece.score += _WEIGHTS["similar"] * float(similarity)
    return kept


def _by_words(understanding: Understanding, names: Sequence[Name], unit: Unit, rarity: Rarity) -> float:
    """What a unit's words and place say for it."""
    lowered = unit.text.lower()
    aspect = aspects().get(understanding.aspect)
    stems = content_terms(unit.text)
    subject = max((match(n, stems, rarity).near for n in names), default=0.0)
    told = aspect is not None and aspect.answer is not None and aspect.answer.search(lowered) is not None
    opens = bool(names) and match(names[0], stems[: len(names[0].stems) + 2], rarity).near > _WITHIN
    defines = understanding.aspect == "definition" and opens and told
    return (
        _WEIGHTS["aspect"] * told
        + _WEIGHTS["subject"] * subject
        + _WEIGHTS["early"] / (1 + unit.order)
        + _WEIGHTS["defines"] * defines
        + _WEIGHTS["list"] * (unit.items > 1)
        - _DANGLING_COST * unit.dangling
    )


def _pick(scored: Sequence[_Scored], max_sentences: int, max_words: int | None) -> list[_Scored]:
    """The best units of the best document, then of others what adds to them; in reading order."""
    picked: list[_Scored] = []
    left = max_words if max_words is not None else 10**9
    fitting = [s for s in scored if len(words(s.unit.text)) <= left]
    if not fitting:
        return []
    first = min(s.rank for s in fitting)
    top = max(s.score for s in fitting if s.rank == first)
    for piece in sorted(fitting, key=lambda s: (s.rank != first, -s.score, s.reading_order)):
        size = len(words(piece.unit.text))
        enough = (_ENOUGH if piece.rank == first else _ENOUGH_ELSEWHERE) * top
        alone = piece.unit.dangling and not _follows(piece, picked)
        if len(picked) >= max_sentences or size > left or (picked and (piece.score < enough or alone)):
            continue
        if not any(_repeats(piece, other) for other in picked):
            picked.append(piece)
            left -= size
    return sorted(picked, key=lambda s: s.reading_order)


def _follows(piece: _Scored, picked: Sequence[_Scored]) -> bool:
    """Whether the unit before it in its passage is in the answer, so that *it* has something to stand for."""
    return any(
        other.unit.evidence.id == piece.unit.evidence.id and other.unit.order == piece.unit.order - 1
        for other in picked
    )


def _repeats(piece: _Scored, other: _Scored) -> bool:
    common = len(piece.stems & other.stems)
    union, smaller = len(piece.stems | other.stems), min(len(piece.stems), len(other.stems))
    return not smaller or common / union >= _LIKE or common / smaller >= _WITHIN


def _draft(picked: Sequence[_Scored]) -> Draft:
    text = ""
    claims: list[Claim] = []
    for place, piece in enumerate(picked):
        if place:
            text += " " if picked[place - 1].rank == piece.rank else "\n\n"
        start = len(text)
        text += piece.unit.text
        claims.append(Claim(text=piece.unit.text, span=(start, len(text)), cited=(piece.unit.evidence.id,)))
    citations = tuple(dict.fromkeys(c.cited[0] for c in claims))
    return Draft(text=text, citations=citations, claims=tuple(claims))
