"""What the vocabularies state of a question's concepts (IMKDG's knowledge triples)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from chains.understanding import Understanding
from core.schema import Concept, Outcome, Triple

Relate = Callable[[Sequence[Concept], int], tuple[Triple, ...]]
"""At most so many relations among concepts and from them, those that tell most about the first ones first."""


def relater(relate: Relate, limit: int) -> Runnable[Understanding, Outcome[tuple[Triple, ...]]]:
    """A Runnable from what a question is about to at most ``limit`` triples; the subject's come first."""

    def related(understanding: Understanding) -> Outcome[tuple[Triple, ...]]:
        mentioned = (mention.concept for mention in understanding.mentions)
        concepts = {concept.id: concept for concept in (*understanding.subject_concepts, *mentioned)}
        return Outcome(value=relate(list(concepts.values()), limit) if concepts and limit else ())

    return RunnableLambda(related, name="triples")
