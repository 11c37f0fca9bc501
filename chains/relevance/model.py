"""How probable it is that a passage answers a question.

Two logistic regressions (``coefficients.json``), fitted by ``eval/experiments/relevance_fit.py`` on focuses of MedQuAD
(CC BY 4.0) and MedlinePlus (public domain) and on passages judged by hand: ``first`` weighs words, concepts and
vectors, and orders what was found; ``read`` also has the learned reader's judgement of the best. A passage that is not
read is not held more probable than those that are. Where it is known what questions a passage answers (``has_known``),
it counts how near the nearest of them is (``known``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from chains.relevance.signals import Signals, Vectors, asked_as, signals_of
from chains.relevance.windows import Read, read_best
from chains.understanding import Understanding
from core.embeddings import Encode
from core.odds import probability
from core.rarity import Rarity
from core.schema import Evidence, Probability, Value

MOST_READ, WINDOWS_A_PASSAGE = 10, 1.5
"""Passages that the reader reads for one question, and how many windows each at the mean, at the most."""
FILE = Path(__file__).with_name("coefficients.json")

Logistic = Mapping[str, float]
Known = Callable[[str, Sequence[Evidence]], Sequence[float]]
"""How near the nearest question is that each piece is known to answer: a cosine, 0 where none is known."""


def none_known(question: str, evidence: Sequence[Evidence]) -> Sequence[float]:
    """Of no piece it is known what it answers."""
    return [0.0] * len(evidence)


class Relevance(Value):
    """How probable it is that a passage answers a question, and why."""

    evidence_id: str
    p_answers: Probability
    signals: Mapping[str, float]


@lru_cache(maxsize=1)
def coefficients() -> Mapping[str, Logistic]:
    """The committed coefficients by model: ``first`` and ``read``."""
    return models_of(FILE)


def models_of(file: Path) -> Mapping[str, Logistic]:
    """The models that a file of coefficients holds."""
    models: Mapping[str, Logistic] = json.loads(file.read_text(encoding="utf-8"))["models"]
    return models


def relevance(
    understanding: Understanding,
    evidence: Sequence[Evidence],
    rarity: Rarity,
    *,
    encode: Encode,
    vectors: Vectors,
    read: Read | None,
    known: Known = none_known,
    most_read: int = MOST_READ,
    models: Mapping[str, Logistic] | None = None,
) -> list[Relevance]:
    """The relevance of each passage to the question, in the order given.

    Give all that was retrieved at once: a passage is judged by the others of its document too. ``encode`` and
    ``vectors`` are the embedder's; ``read`` is the learned reader, None where it is not there, which reads the
    ``most_read`` passages that seem best without it.
    """
    chosen = models or coefficients()
    near = np.max([known(asked, evidence) for asked in {understanding.text, understanding.told}], axis=0)
    signals: list[Signals] = [
        {**found, **known_of(float(closest))}
        for found, closest in zip(signals_of(understanding, evidence, rarity, encode, vectors), near, strict=True)
    ]
    found = [logistic(chosen["first"], s) for s in signals]
    if read is not None and evidence:
        best = sorted(range(len(found)), key=lambda place: -found[place])[:most_read]
        seem_best = [evidence[place] for place in best]
        asked = [asked_as(understanding, e) for e in seem_best]
        outputs = read_best(asked, seem_best, read, int(WINDOWS_A_PASSAGE * most_read))
        for place, output in zip(best, outputs, strict=True):
            signals[place] = {**signals[place], "read": output}
            found[place] = logistic(chosen["read"], signals[place])
        least = min(found[place] for place in best)
        unread = set(range(len(found))) - set(best)
        for place in unread:
            found[place] = min(found[place], least)
    return [
        Relevance(evidence_id=e.id, p_answers=p, signals=s) for e, p, s in zip(evidence, found, signals, strict=True)
    ]


def known_of(near: float) -> Signals:
    """The signals of a passage by how near a question is that it is known to answer; both 0 where nothing is known."""
    return {"known": near, "has_known": float(near > 0)}


def logistic(model: Logistic, signals: Signals) -> float:
    """Probability by a logistic regression; a signal that is missing counts 0."""
    z = model["intercept"] + sum(b * signals.get(name, 0.0) for name, b in model.items() if name != "intercept")
    return probability(max(-60.0, min(60.0, z)))
