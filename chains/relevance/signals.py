"""What speaks for and against a passage as an answer: its subject by words and concepts, its meaning by vectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from chains.relevance.subject import Passage, names_of, read_passage, subject_signals
from chains.understanding import Understanding
from core.embeddings import Encode, Matrix
from core.rarity import Rarity
from core.schema import Evidence

Vectors = Callable[[Sequence[Evidence]], Matrix]
Signals = Mapping[str, float]

OF_MEDICINE = ": medicine"
"""How a piece is titled that tells what a medicine acts against and how it is called."""
_NAMED: Signals = {"document_near": 1.0, "title_conflict": 0.0}
"""Of a passage about the very concept that is asked about: as if it called it as the question does."""


def signals_of(
    understanding: Understanding, evidence: Sequence[Evidence], rarity: Rarity, encode: Encode, vectors: Vectors
) -> list[Signals]:
    """The signals of each passage; all that was retrieved is given at once, since documents are judged as wholes."""
    if not evidence:
        return []
    asked = encode([asked_as(understanding, e) for e in evidence])
    similar = (vectors(evidence) * asked).sum(axis=1)
    concepts = understanding.subject_ids
    named = _by_words(understanding, [read_passage(e) for e in evidence], rarity)
    return [
        {
            **found,
            **(_NAMED if concepts & set(e.about) else {}),
            "similar_text": float(near),
            "titled": float(bool(e.title)),
        }
        for e, found, near in zip(evidence, named, similar, strict=True)
    ]


def _by_words(understanding: Understanding, passages: Sequence[Passage], rarity: Rarity) -> list[Signals]:
    names = names_of(understanding, rarity)
    if not names:
        return [{} for _ in passages]
    documents: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        documents.setdefault(passage.document, []).append(place)
    found: list[Signals] = [{} for _ in passages]
    for places in documents.values():
        read = subject_signals(names, [passages[place] for place in places])
        for place, signals in zip(places, read, strict=True):
            found[place] = signals
    return found


def asked_as(understanding: Understanding, evidence: Evidence) -> str:
    """The question in the passage's own words: where that calls the subject by another name, so does the question.

    What is recorded of a medicine tells its use by its own name, whatever else it is called: of one that is alone
    asked about, and not of its names.
    """
    subject, told = understanding.subject, f"{evidence.title}. {evidence.text}".lower()
    alone = len({m.concept.id for m in understanding.mentions}) == 1 and not understanding.alike
    if evidence.title.endswith(OF_MEDICINE) and alone and understanding.aspect != "names":
        told = evidence.title.lower()
    if not subject or subject.lower() in told:
        return understanding.told
    if evidence.title and understanding.subject_ids & set(evidence.about):
        name = evidence.title.partition(":")[0]
    else:
        name = next((n for n in understanding.names if n.lower() in told), subject)
    return re.sub(re.escape(subject), lambda _: name, understanding.told, flags=re.IGNORECASE)
