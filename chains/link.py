"""The concepts that a question mentions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from core.schema import Mention, Outcome, Question

Link = Callable[[str], Sequence[Mention]]
"""Finds the concepts of a text."""


def concept_linker(link: Link) -> Runnable[Question, Outcome[tuple[Mention, ...]]]:
    """A Runnable from a question to its mentions; without the part ``knowledge`` there are none."""

    def linked(asked: Question) -> Outcome[tuple[Mention, ...]]:
        wanted = "knowledge" not in asked.settings.without
        return Outcome(value=tuple(link(_text(asked))) if wanted else ())

    return RunnableLambda(linked, name="link_concepts")


def _text(asked: Question) -> str:
    """What is linked: of a consultation for IMKDG what the doctor said too."""
    if asked.settings.method == "imkdg" and asked.history:
        said = (turn.text for turn in asked.history if turn.role == "doctor")
        return "\n".join([asked.question, *said])
    return asked.question
