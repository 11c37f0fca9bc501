"""What an answer is taken from: sections of documents, the likeliest to answer first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chains.relevance.subject import place_in_document, read_passage
from chains.understand import Understanding
from core.schema import Evidence

LEAST_RELEVANCE = 0.2
"""Evidence of a lower p_answers is not quoted, not even for the reader to see why nothing is answered."""

_BESIDE = 0.6
"""Of a section's likeliest passage, what another passage of it needs to be told with it."""
_RELATIVE = 0.7
_VOCABULARIES = frozenset({"knowledge", "umls"})
_WHAT_IT_IS = frozenset({"definition", "names"})


class Section(NamedTuple):
    """Passages under one title of one document, in their order, and the likelihood that the best of them answers."""

    document: str
    title: str
    passages: tuple[Evidence, ...]
    p_answers: float

    @property
    def is_vocabulary(self) -> bool:
        """Whether it is facts of a vocabulary and no prose."""
        return self.passages[0].source in _VOCABULARIES


def sections(
    understanding: Understanding, evidence: Sequence[Evidence], relevance: Mapping[str, float]
) -> list[Section]:
    """The sections that may answer: prose first, then vocabularies; each by falling likelihood."""
    weighed = [(e, relevance.get(e.id, 0.0)) for e in evidence if may_answer(understanding, e)]
    best = max((p for _, p in weighed), default=0.0)
    groups: dict[tuple[str, str], list[tuple[Evidence, float]]] = {}
    for piece, p in weighed:
        if p >= max(LEAST_RELEVANCE, _RELATIVE * best):
            groups.setdefault((read_passage(piece).document, piece.title), []).append((piece, p))
    found = [_section(*key, pieces) for key, pieces in groups.items()]
    return sorted(found, key=lambda s: (s.is_vocabulary, -s.p_answers))


def may_answer(understanding: Understanding, evidence: Evidence) -> bool:
    """Whether a piece can tell what is asked: what a thing is classed as and called tells what it is, nothing else."""
    if evidence.source not in _VOCABULARIES:
        return True
    return read_passage(evidence).title.aspect != "definition" or understanding.aspect in _WHAT_IT_IS


def _section(document: str, title: str, pieces: Sequence[tuple[Evidence, float]]) -> Section:
    best = max(p for _, p in pieces)
    kept = sorted((e for e, p in pieces if p >= _BESIDE * best), key=place_in_document)
    return Section(document, title, tuple(kept), best)
