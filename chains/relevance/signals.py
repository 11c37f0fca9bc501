"""What speaks for and against a passage as an answer: its subject by words and concepts, its meaning by vectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from chains.relevance.aspect import agreement
from chains.relevance.match import Name, match, name_of
from chains.relevance.subject import Passage, names_of, read_passage, subject_signals
from chains.understand import Understanding
from core.embeddings import Encode, Matrix
from core.rarity import Rarity
from core.schema import Evidence

Vectors = Callable[[Sequence[Evidence]], Matrix]
Signals = Mapping[str, float]


def signals_of(
    understanding: Understanding, evidence: Sequence[Evidence], rarity: Rarity, encode: Encode, vectors: Vectors
) -> list[Signals]:
    """The signals of each passage; all that was retrieved is given at once, since documents are judged as wholes."""
    if not evidence:
        return []
    passages = [read_passage(e) for e in evidence]
    asked = encode([asked_as(understanding, e) for e in evidence])
    told = vectors(evidence)
    titles = encode([e.title for e in evidence])
    similar = ((told * asked).sum(axis=1), (titles * asked).sum(axis=1))
    meant = zip(*similar, agreement(understanding, told, encode), strict=True)
    words = _by_words(understanding, passages, rarity)
    concepts = _concepts(understanding)
    return [
        (found | _named(found) if concepts & set(e.about) else found)
        | {
            "similar_text": float(text),
            "similar_title": float(title) if e.title else 0.0,
            "titled": float(bool(e.title)),
            "aspect": told_share,
        }
        for e, found, (text, title, told_share) in zip(evidence, words, meant, strict=True)
    ]


def _by_words(understanding: Understanding, passages: Sequence[Passage], rarity: Rarity) -> list[dict[str, float]]:
    names = names_of(understanding, rarity)
    sides = _sides(understanding, rarity)
    documents: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        documents.setdefault(passage.document, []).append(place)
    found: list[dict[str, float]] = [{} for _ in passages]
    for places in documents.values():
        document = [passages[place] for place in places]
        read = subject_signals(names, document, rarity) if names else [{} for _ in document]
        for place, passage, signals in zip(places, document, read, strict=True):
            covers = [match(side, _all_stems(passage), rarity).cover for side in sides]
            found[place] = {**signals, "asked_cover": min(covers, default=0.0)}
    return found


def asked_as(understanding: Understanding, evidence: Evidence) -> str:
    """The question in the passage's own words: where that calls the subject by another name, so does the question."""
    subject, told = understanding.subject, f"{evidence.title}. {evidence.text}".lower()
    if not subject or subject.lower() in told:
        return understanding.told
    if evidence.title and _concepts(understanding) & set(evidence.about):
        name = evidence.title.partition(":")[0]
    else:
        name = next((n for n in understanding.names if n.lower() in told), subject)
    return re.sub(re.escape(subject), lambda _: name, understanding.told, flags=re.IGNORECASE)


def _concepts(understanding: Understanding) -> set[str]:
    return {i for c in understanding.subject_concepts for i in (c.id, *c.xrefs)}


def _named(signals: Signals) -> dict[str, float]:
    """The signals of a passage about the very concept that is asked about: as if it called it as the question does."""
    title = {"title_cover": 1.0, "title_missing": 0.0, "title_extra": 0.0, "title_exact": 1.0, "title_conflict": 0.0}
    text = {"text_cover": 1.0, "text_near": 1.0, "document_near": 1.0, "lead_near": 1.0}
    return {**(title if "title_cover" in signals else {}), **text}


def _sides(understanding: Understanding, rarity: Rarity) -> list[Name]:
    """What a passage has to have: both sides of a relation, otherwise all words of the question."""
    texts = (understanding.subject, understanding.object) if understanding.object else (understanding.told,)
    return [n for n in (name_of(t, rarity) for t in texts) if n is not None]


def _all_stems(passage: Passage) -> tuple[str, ...]:
    return passage.title.stems + tuple(s for part in passage.title.parts for s in part) + passage.stems


def as_row(signals: Signals, names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The named signals in order; one that is missing counts 0."""
    return np.array([signals.get(name, 0.0) for name in names])
