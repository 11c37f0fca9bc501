"""The step that weighs everything found: how likely each piece answers the question."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.relevance.model import relevance
from chains.understand import Understanding
from core.rarity import Rarity
from core.schema import Evidence, Outcome


class WeighInput(NamedTuple):
    """A question as understood, and everything that was found for it."""

    understanding: Understanding
    evidence: tuple[Evidence, ...]


def weigher(rarity: Rarity) -> Runnable[WeighInput, Outcome[dict[str, float]]]:
    """A Runnable to the probability, by evidence id, that a piece answers the question."""

    def weigh(given: WeighInput) -> Outcome[dict[str, float]]:
        weighed = relevance(given.understanding, given.evidence, rarity)
        return Outcome(value={r.evidence_id: r.p_answers for r in weighed})

    return RunnableLambda(weigh, name="weigh")
