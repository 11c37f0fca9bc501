"""How likely an answer, as it is written, tells what was asked: from the worth of its evidence, and from its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer_risk import told_of, unread
from chains.narrowed import passed_by, turned_round
from chains.relevance.windows import Read
from chains.said import said_to
from chains.understanding import Understanding
from core.embeddings import Encode
from core.schema import Draft, Outcome


class TellingInput(NamedTuple):
    """A draft, what was asked, and for each of its questions the worth of each piece of evidence.

    ``quoted`` drafts are made of the evidence's own sentences. ``narrower`` is the one medicine that was asked of where
    the question is now asked of its kind.
    """

    draft: Draft
    understanding: Understanding
    weighed: Sequence[Mapping[str, float]]
    quoted: bool = True
    narrower: str = ""


def telling(encode: Encode, read: Read | None) -> Runnable[TellingInput, Outcome[dict[str, float]]]:
    """A Runnable to the probability, by id of evidence, that the draft tells by it what was asked."""

    def run(given: TellingInput) -> Outcome[dict[str, float]]:
        asked = given.understanding
        said = said_to([question.told for question in asked.questions], given.draft.text, encode, read, unread())
        cited, compared = given.draft.citations, asked.compared
        value = told_of(given.weighed, said, cited, compared=compared, quoted=given.quoted)
        text = given.draft.text
        if all(
            passed_by(f"{_named(question)} {given.narrower}", text) or turned_round(question.told, text)
            for question in asked.questions
        ):
            value = dict.fromkeys(value, 0.0)
        return Outcome(value=value)

    return RunnableLambda(run, name="tell")


def _named(question: Understanding) -> str:
    """A question with the names of what it mentions, however it spells them."""
    return " ".join([question.told, *(mention.concept.name for mention in question.mentions)])
