"""Which sentences of a passage carry the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chains.relevance.model import Logistic, coefficients, logistic
from chains.relevance.windows import Read
from core.embeddings import Encode
from core.readers.pairs import titled


def sentence_scores(
    question: str,
    sentences: Sequence[str],
    title: str,
    *,
    encode: Encode,
    read: Read | None,
    models: Mapping[str, Logistic] | None = None,
) -> list[float]:
    """The probability that each sentence by itself, under its passage's title, answers the question."""
    if not sentences:
        return []
    chosen = (models or coefficients())["sentence_unread" if read is None else "sentence"]
    vectors = encode([question, *(titled(title, s) for s in sentences)])
    outputs = (
        read([(question, titled(title, s)) for s in sentences])[:, 0] if read is not None else [0.0] * len(sentences)
    )
    return [
        logistic(chosen, {"similar": float(similar), "read": float(output)})
        for similar, output in zip(vectors[1:] @ vectors[0], outputs, strict=True)
    ]
