"""What a question is about, what is asked of it, and in which form, from its words and the concepts linked in them."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import Names
from chains.understand import Understanding, understand
from core.schema import Mention, Outcome, Question


class UnderstandInput(NamedTuple):
    """A question, and the concepts that it mentions."""

    asked: Question
    mentions: tuple[Mention, ...] = ()


def understander(names: Names) -> Runnable[UnderstandInput, Outcome[Understanding]]:
    """A Runnable from a question to its understanding; ``names`` gives a concept's other names."""

    def read(given: UnderstandInput) -> Outcome[Understanding]:
        asked, mentions = given
        return Outcome(
            value=understand(asked.question, lambda _: mentions, asked.options, task=asked.task, synonyms=names)
        )

    return RunnableLambda(read, name="understand")
