"""The first step of every question: what it is about, what is asked of it, and in which form."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import Names
from chains.understand import Link, Understanding, understand
from core.schema import Outcome, Question


def understander(link: Link, names: Names) -> Runnable[Question, Outcome[Understanding]]:
    """A Runnable from a question to its understanding; without the part ``knowledge`` no concepts are linked."""

    def read(asked: Question) -> Outcome[Understanding]:
        linked = "knowledge" not in asked.settings.without
        return Outcome(
            value=understand(
                asked.question,
                link if linked else None,
                asked.options,
                task=asked.task,
                synonyms=names if linked else None,
            )
        )

    return RunnableLambda(read, name="understand")
