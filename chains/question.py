"""What a question is about, what is asked of it, and in which form, from its words and the concepts linked in them."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import Names
from chains.understand import understand
from chains.understanding import Understanding
from core.schema import Mention, Outcome, Question


class UnderstandInput(NamedTuple):
    """A question, and the concepts that it mentions."""

    asked: Question
    mentions: tuple[Mention, ...] = ()


def patient_words(asked: Question) -> str:
    """All that the patient has said, the question last; of a question without a history, the question."""
    told = [turn.text for turn in asked.history if turn.role == "patient"]
    return "\n\n".join([*told, asked.question])


def understander(names: Names) -> Runnable[UnderstandInput, Outcome[Understanding]]:
    """A Runnable from a question to its understanding; ``names`` gives a concept's other names."""

    def read(given: UnderstandInput) -> Outcome[Understanding]:
        asked, mentions = given
        # IMKDG answers turns of a consultation: a question alone is its first one.
        turns = asked.history or (asked.settings.method == "imkdg" and not asked.options)
        task = asked.task or ("dialogue" if turns else None)
        return Outcome(value=understand(asked.question, lambda _: mentions, asked.options, task=task, synonyms=names))

    return RunnableLambda(read, name="understand")
