"""The concepts that a question mentions."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.understand import Link
from core.schema import Mention, Outcome, Question


def concept_linker(link: Link) -> Runnable[Question, Outcome[tuple[Mention, ...]]]:
    """A Runnable from a question to its mentions; without the part ``knowledge`` there are none."""

    def linked(asked: Question) -> Outcome[tuple[Mention, ...]]:
        wanted = "knowledge" not in asked.settings.without
        return Outcome(value=tuple(link(asked.question)) if wanted else ())

    return RunnableLambda(linked, name="link_concepts")
