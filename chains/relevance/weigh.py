"""The step that weighs everything found: how likely each piece answers the question."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.relevance.model import MOST_READ, Known, none_known, relevance
from chains.relevance.signals import Vectors
from chains.relevance.windows import Read
from chains.understanding import Understanding
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Evidence, Outcome


class WeighInput(NamedTuple):
    """A question as understood, and everything that was found for it."""

    understanding: Understanding
    evidence: tuple[Evidence, ...]


def weigher(
    rarity: Rarity,
    *,
    encode: Encode,
    vectors: Vectors,
    read: Read | None,
    known: Known = none_known,
    most_read: int = MOST_READ,
) -> Runnable[WeighInput, Outcome[dict[str, float]]]:
    """A Runnable to the probability, by evidence id, that a piece answers the question."""

    def weigh(given: WeighInput) -> Outcome[dict[str, float]]:
        asked, evidence = given
        weighed = relevance(
            asked, evidence, rarity, encode=encode, vectors=vectors, read=read, known=known, most_read=most_read
        )
        return Outcome(value={r.evidence_id: r.p_answers for r in weighed})

    return RunnableLambda(weigh, name="weigh")
