"""What says the same as what is told already, in the same words or in others."""

from __future__ import annotations

from collections.abc import Sequence

from chains.answer.runs import Candidate
from chains.answer.sentences import Unit
from chains.relevance.subject import divided
from core.embeddings import Encode
from core.readers.pairs import titled

_LIKE = 0.6
_WITHIN = 0.85
_ALIKE = 0.85
"""Cosine of two sentences of two passages from which on they say the same."""


def unsaid(run: Sequence[Candidate], picked: Sequence[Candidate], encode: Encode | None) -> list[Candidate]:
    """What of a run the answer does not say already, in these words or others."""
    new = [c for c in run if not any(repeats(c.unit.stems, other.unit.stems) for other in picked)]
    if not new or not picked or encode is None:
        return new
    vectors = encode([_under_subject(c.unit) for c in (*new, *picked)])
    alike = (vectors[: len(new)] @ vectors[len(new) :].T).max(axis=1)
    return [c for c, nearest in zip(new, alike, strict=True) if nearest < _ALIKE]


def _under_subject(unit: Unit) -> str:
    """A sentence under what its passage is about, as sentences are weighed: so it is embedded once."""
    return titled(divided(unit.evidence.title)[0], unit.text)


def repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether of two sentences, by the stems of their content words, one says nothing that the other does not."""
    common = len(one & other)
    union, smaller = len(one | other), min(len(one), len(other))
    return not smaller or common / union >= _LIKE or common / smaller >= _WITHIN
