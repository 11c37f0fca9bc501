"""How probable it is that a passage answers a question: its subject times its aspect.

``coefficients.json`` holds three logistic regressions (subject with a title, subject without, aspect), fitted by
``eval/experiments/relevance_fit.py`` on MedQuAD, CC BY 4.0, with the figures they reached. Their product's odds are
multiplied (``odds``) so that 0.5 is an operating point, the one at which a stated share of
answerable questions is turned away, and not the calibrated even chance.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from chains.relevance.aspect import AspectReader, aspect_reader, aspect_signals, told_aspect
from chains.relevance.match import Name, match, name_of
from chains.relevance.subject import Passage, names_of, read_passage, subject_signals
from chains.understand import Understanding
from core.rarity import Rarity
from core.schema import Evidence, Probability, Value

ASPECT_FLOOR = 0.4
"""What remains of a passage's probability where its subject is right and its aspect is not."""

_FILE = Path(__file__).with_name("coefficients.json")
_SAME_CONCEPT = 0.9
_LOOSE_SLOPE, _LOOSE_MIDDLE = 12.0, 0.6
_STRAY_TITLE, _STRAY_SHARE = 0.34, 0.6
_NAMED = 0.5

Logistic = Mapping[str, float]


class Relevance(Value):
    """Whether a passage answers a question, and why."""

    evidence_id: str
    p_subject: Probability
    p_aspect: Probability
    p_answers: Probability
    signals: Mapping[str, float]


@lru_cache(maxsize=1)
def coefficients() -> Mapping[str, Logistic]:
    """The committed coefficients by model: ``titled``, ``untitled``, ``aspect``, and the factors of ``odds``."""
    models: Mapping[str, Logistic] = json.loads(_FILE.read_text(encoding="utf-8"))["models"]
    return models


def relevance(
    understanding: Understanding,
    evidence: Sequence[Evidence],
    rarity: Rarity,
    *,
    models: Mapping[str, Logistic] | None = None,
    reader: AspectReader | None = None,
) -> list[Relevance]:
    """The relevance of each passage to the question, in the order given.

    Give all that was retrieved at once: a passage is judged by the others of its document too. ``models`` and
    ``reader`` replace the committed ones.
    """
    chosen = models or coefficients()
    words = reader or aspect_reader()
    passages = [read_passage(e) for e in evidence]
    documents: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        documents.setdefault(passage.document, []).append(place)
    names = names_of(understanding, rarity)
    results: dict[int, Relevance] = {}
    for places in documents.values():
        signals = signals_of(understanding, names, [(evidence[p], passages[p]) for p in places], rarity, words)
        for place, found in zip(places, signals, strict=True):
            results[place] = _judge(understanding, evidence[place], found, chosen)
    return [results[place] for place in range(len(evidence))]


def signals_of(
    understanding: Understanding,
    names: Sequence[Name],
    document: Sequence[tuple[Evidence, Passage]],
    rarity: Rarity,
    reader: AspectReader,
) -> list[dict[str, float]]:
    """All signals of each retrieved passage of one document."""
    passages = [p for _, p in document]
    found = subject_signals(names, passages, rarity) if names else [{} for _ in passages]
    if understanding.aspect and understanding.aspect != "relation":
        told = [told_aspect(understanding.aspect, p, e.text, reader) for e, p in document]
        found = [
            f | a for f, a in zip(found, aspect_signals(understanding.aspect, passages, told, reader), strict=True)
        ]
    concepts = {i for c in understanding.subject_concepts for i in (c.id, *c.xrefs)}
    asked = () if known(understanding) else _asked_names(understanding, rarity)
    return [
        f
        | {
            "concept": float(bool(concepts & set(e.about))),
            "asked_cover": min((match(n, _all_stems(p), rarity).cover for n in asked), default=0.0),
            "stray_title": _stray(p, rarity) if f.get("title_cover", 1.0) < _NAMED else 0.0,
        }
        for f, (e, p) in zip(found, document, strict=True)
    ]


def logistic(model: Logistic, signals: Mapping[str, float]) -> float:
    """Probability by a logistic regression; a signal that is missing counts 0."""
    z = model["intercept"] + sum(b * signals.get(name, 0.0) for name, b in model.items() if name != "intercept")
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, z))))


def p_answers(subject: float, aspect: float, signals: Mapping[str, float], odds: float = 1.0) -> float:
    """Subject times aspect, with its odds multiplied.

    Of the aspect a floor remains where the text seems to lack it, none where the title announces another one.
    """
    floor = 0.0 if signals.get("title_other") else ASPECT_FLOOR
    product = subject * (floor + (1 - floor) * aspect)
    return odds * product / (odds * product + 1 - product)


def p_aspect(signals: Mapping[str, float], models: Mapping[str, Logistic]) -> float:
    """Probability that the passage tells what is asked; 1 where nothing is known of that."""
    return logistic(models["aspect"], signals) if "told" in signals else 1.0


def _judge(
    understanding: Understanding, evidence: Evidence, signals: Mapping[str, float], models: Mapping[str, Logistic]
) -> Relevance:
    subject, aspect = p_subject(understanding, signals, models), p_aspect(signals, models)
    return Relevance(
        evidence_id=evidence.id,
        p_subject=subject,
        p_aspect=aspect,
        p_answers=p_answers(subject, aspect, signals, _odds(understanding, signals, models)),
        signals=signals,
    )


def _odds(understanding: Understanding, signals: Mapping[str, float], models: Mapping[str, Logistic]) -> float:
    if not known(understanding):
        return 1.0
    return models["odds"]["titled" if "title_cover" in signals else "untitled"]


def p_subject(understanding: Understanding, signals: Mapping[str, float], models: Mapping[str, Logistic]) -> float:
    """By the title where there is one that names what the text is about, otherwise by the text.

    A question that relates two things, or whose subject is a guess, is answered by what has most of its words.
    """
    loose = 1.0 / (1.0 + math.exp(-_LOOSE_SLOPE * (signals["asked_cover"] - _LOOSE_MIDDLE)))
    if not known(understanding):
        return loose
    untitled = logistic(models["untitled"], signals) if signals else 0.0
    titled = logistic(models["titled"], signals) if "title_cover" in signals else untitled
    found = max(titled, _STRAY_SHARE * untitled * signals["stray_title"])
    return max(found, _SAME_CONCEPT) if signals["concept"] else found


def known(understanding: Understanding) -> bool:
    """Whether the question has one subject, and it is sure."""
    return understanding.sure and not understanding.object


def _asked_names(understanding: Understanding, rarity: Rarity) -> list[Name]:
    """What a passage has to have: both sides of a relation, otherwise all words of the question."""
    texts = (understanding.subject, understanding.object) if understanding.object else (understanding.text,)
    return [n for n in (name_of(t, rarity) for t in texts) if n is not None]


def _all_stems(passage: Passage) -> tuple[str, ...]:
    return passage.title.stems + tuple(s for part in passage.title.parts for s in part) + passage.stems


def _stray(passage: Passage, rarity: Rarity) -> float:
    """1 where the title's words do not stand in the text, so that it is no name of what the text is about."""
    if not passage.title.stems:
        return 1.0
    return float(match(Name.of(passage.title.stems, rarity), passage.stems, rarity).cover < _STRAY_TITLE)
