"""A question about one medicine, asked of the medicines that it is one of: of Lexapro as of antidepressants.

Pages for patients tell of classes of medicines oftener than of one. What they say of all of them is an answer that can
be given where nothing tells of the one that was asked about; the reader is told of what it is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from core.schema import Concept, Mention, Outcome

Kinds = Callable[[Concept], Sequence[str]]
"""What people call the medicines that a concept is one of, the most telling first; nothing where it is none."""

_BEFORE = re.compile(r"\b(?:an?|the|my|your|this|that|some|taking an?)\s+$", re.IGNORECASE)
_AFTER = re.compile(r"^\s+(?:pills?|tablets?|capsules?|medicines?|medications?|meds?)\b", re.IGNORECASE)
_OF_THIS_ONE = re.compile(
    r"\d|\b(?:mg|doses?|dosage|refill\w*|prescri\w+|generic|brand|cost\w*|price"
    r"|tablets|pills|get|give|send|try|switch\w*|instead|chang\w+|choose|rather)\b"
    r"|^(?:is|are) (?:it|this|that|these|those) ",
    re.IGNORECASE,
)
"""What is asked of one medicine alone: how much of it, what it costs, whether to have it or another."""


class WidenInput(NamedTuple):
    """A question that stands alone, the concepts that it mentions, and the aspect that it asks for."""

    question: str
    mentions: tuple[Mention, ...]
    aspect: str


class Widened(NamedTuple):
    """The question asked of all medicines of a kind, the kind, and the one that was asked about as it was named."""

    question: str
    kind: str
    named: str


def widener(kinds: Kinds) -> Runnable[WidenInput, Outcome[Widened | None]]:
    """A Runnable to the wider question; None where the question is not about one medicine of a kind."""
    return RunnableLambda(lambda given: Outcome(value=widened(given, kinds)), name="widen")


def widened(given: WidenInput, kinds: Kinds) -> Widened | None:
    """The question with the medicine's kind in its place, without the article before it and the form after it.

    Not where two medicines are asked about, a number or what only this one has: its dose, its price, its names.
    """
    question, mentions, aspect = given
    if aspect == "names" or _OF_THIS_ONE.search(question):
        return None
    of = {m.concept.id: found[0] for m in mentions if (found := kinds(m.concept))}
    if len(of) != 1:
        return None
    ((medicine, kind),) = of.items()
    named = [m for m in mentions if m.concept.id == medicine]
    if kind[:-1].lower() in question.lower() or any(question[m.start : m.end] != m.text for m in named):
        return None
    asked = question
    for mention in sorted(named, key=lambda m: -m.start):
        before, after = _BEFORE.sub("", asked[: mention.start]), _AFTER.sub("", asked[mention.end :])
        asked = f"{before}{kind}{after}"
    return Widened(asked[:1].upper() + asked[1:], kind, named[0].text)
