"""Which sentences of a passage carry the answer: a logistic regression (``sentences.json``).

``eval.experiments.sentence_fit`` fits it on sentences judged by hand, with the reader (``sentence``) and without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from chains.relevance.model import Logistic, logistic, models_of
from chains.relevance.subject import divided
from chains.relevance.windows import Read
from core.embeddings import Encode
from core.readers.pairs import titled

FILE = Path(__file__).with_name("sentences.json")
ANSWERS = 2
"""The grade of a sentence that answers."""
_KNOWN_LEAST = 0.6
"""A cosine at which two questions may still ask different things: more says that they do not."""
_SETTLED_LEAST, _SETTLED_SURELY = 0.88, 0.95
"""Cosines of two questions of one subject: up to the first they may ask for different aspects (what it is and who gets
it: 0.85); from the second on they ask the same."""
_SETTLED = {2: 0.95, 1: 0.5, 0: 0.1}
"""How likely a sentence answers a question that was read beside it, by its grade."""
_ASKED_LEAST, _ASKED_SURELY = 0.75, 0.85
"""Similarities of a question and a heading: from the first on they may ask the same, from the second on they do."""


def sentence_scores(
    question: str,
    sentences: Sequence[str],
    title: str,
    *,
    encode: Encode,
    read: Read | None,
    known: Sequence[float] = (),
    begins: bool = True,
    models: Mapping[str, Logistic] | None = None,
) -> list[float]:
    """The probability that each sentence of a passage answers the question, better than its neighbours do.

    ``known`` says of each how surely it answers a question like it, in [0, 1]; empty where that is not known.
    ``begins`` is false where the passage goes on with what another begins under the same title.
    """
    chosen = (models or _coefficients())["sentence_unread" if read is None else "sentence"]
    signals = sentence_signals(question, sentences, title, encode=encode, read=read, known=known, begins=begins)
    return [logistic(chosen, found) for found in signals]


def sentence_signals(
    question: str,
    sentences: Sequence[str],
    title: str,
    *,
    encode: Encode,
    read: Read | None,
    known: Sequence[float] = (),
    begins: bool = True,
) -> list[dict[str, float]]:
    """What speaks for each sentence: its meaning, the reader, and that it opens what is headed by the same question.

    A sentence is read under its subject alone: a heading that asks the same makes all its sentences seem to answer.
    """
    if not sentences:
        return []
    subject, heading = divided(title)
    announced = heading if begins else ""
    texts = [titled(subject, sentence) for sentence in sentences]
    vectors = encode([question, announced or question, *texts])
    outputs = read([(question, text) for text in texts])[:, 0] if read is not None else [0.0] * len(texts)
    asked = (float(vectors[1] @ vectors[0]) - _ASKED_LEAST) / (_ASKED_SURELY - _ASKED_LEAST) if announced else 0.0
    same = min(1.0, max(0.0, asked))
    return [
        {"similar": float(similar), "read": float(output), "opens": same / (1 + place), "known": sure}
        for place, (similar, output, sure) in enumerate(
            zip(vectors[2:] @ vectors[0], outputs, known or [0.0] * len(texts), strict=True)
        )
    ]


def known_sentences(near: float, grades: Mapping[int, int], spans: Sequence[tuple[int, int]]) -> list[float]:
    """How surely each sentence answers, where it is known how far it answers a question as ``near`` (a cosine) as that.

    ``grades`` are 2 or 1 by where a sentence begins, ``spans`` where those asked about begin and end.
    """
    sure = max(0.0, near - _KNOWN_LEAST) / (1.0 - _KNOWN_LEAST)
    return [sure * grade / ANSWERS for grade in _grades(grades, spans)]


def settled(
    scores: Sequence[float], near: float, grades: Mapping[int, int], spans: Sequence[tuple[int, int]]
) -> list[float]:
    """The scores of sentences, where it is known how far they answer a question as ``near`` (a cosine) as that.

    The nearer it is, the more its grades say, and the less the scores; with nothing known these stay as they are.
    """
    sure = (near - _SETTLED_LEAST) / (_SETTLED_SURELY - _SETTLED_LEAST) if grades else 0.0
    sure = min(1.0, max(0.0, sure))
    return [
        (1.0 - sure) * score + sure * _SETTLED[grade]
        for score, grade in zip(scores, _grades(grades, spans), strict=True)
    ]


def _grades(grades: Mapping[int, int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The best grade within each span."""
    return [max((grade for start, grade in grades.items() if begin <= start < end), default=0) for begin, end in spans]


@lru_cache(maxsize=1)
def _coefficients() -> Mapping[str, Logistic]:
    return models_of(FILE)
