"""An answer made of the evidence's own sentences, each with its citation: one source told, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from chains.answer.sections import Section, sections
from chains.answer.sentences import Unit, units_of
from chains.understand import Understanding
from core.schema import Claim, Draft, Evidence
from core.text import content_terms, words

Score = Callable[[str, Sequence[str], str], Sequence[float]]
"""How likely each sentence under a title answers a question, in [0, 1]."""

_MOST_SCORED = 16
_LIKE = 0.6
_WITHIN = 0.85
_ENOUGH = 0.3
"""Of the best sentence's likelihood, what another needs to be told with it."""
_ELSEWHERE = 0.9
"""Of the best section's likelihood, what a section of another document needs."""
_LEAST_OF_PART = 3
_FROM_SECOND = 2


class Part(NamedTuple):
    """One of the questions that were asked, and how likely each piece of evidence answers it."""

    understanding: Understanding
    relevance: Mapping[str, float]


class _Scored(NamedTuple):
    unit: Unit
    score: float

    @property
    def place(self) -> tuple[str, int]:
        return self.unit.evidence.id, self.unit.order


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
    """The sentences of the likeliest section in its order; of a second one where it adds, and there is room."""
    found = sections(part.understanding, evidence, part.relevance)
    picked: list[Unit] = []
    for place, section in enumerate(found):
        first = found[0]
        same = section.document == first.document
        near = section.p_answers >= _ELSEWHERE * first.p_answers
        if len(picked) >= most or (place and not (near or same)) or (picked and section.is_vocabulary):
            break
        room = min(most - len(picked), _FROM_SECOND) if picked else (most - 1 if len(found) > 1 and near else most)
        seen = [*known, *(unit.stems for unit in picked)]
        left = max_words - sum(len(words(unit.text)) for unit in picked)
        picked += _told(part.understanding.text, section, score, max(1, room), left, seen)
    return picked


def _told(
    question: str, section: Section, score: Score, most: int, max_words: int, known: Sequence[frozenset[str]]
) -> list[Unit]:
    """The sentences of a section that carry the answer, in its order; one that leans on another comes with it."""
    units = [unit for passage in section.passages for unit in units_of(passage)]
    units = [u for u in units if not u.boilerplate and not any(_repeats(u.stems, k) for k in known)][:_MOST_SCORED]
    if not units:
        return []
    scored = [
        _Scored(unit, value)
        for unit, value in zip(units, score(question, [u.text for u in units], section.title), strict=True)
    ]
    by_place = {piece.place: piece for piece in scored}
    top = max(piece.score for piece in scored)
    picked: dict[tuple[str, int], Unit] = {}
    left = max_words
    for piece in sorted(scored, key=lambda s: -s.score):
        if len(picked) >= most or (picked and piece.score < _ENOUGH * top):
            break
        before = by_place.get((piece.place[0], piece.place[1] - 1)) if piece.unit.dangling else None
        wanted = [p for p in (before, piece) if p is not None and p.place not in picked]
        size = sum(len(words(p.unit.text)) for p in wanted)
        if size > left:
            wanted, size = [piece], len(words(piece.unit.text))
        if wanted and size <= left and not any(_repeats(piece.unit.stems, unit.stems) for unit in picked.values()):
            picked |= {p.place: p.unit for p in wanted}
            left -= size
    order = {piece.place: number for number, piece in enumerate(scored)}
    return [picked[place] for place in sorted(picked, key=order.__getitem__)]


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
