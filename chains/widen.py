"""A question asked wider: of Lexapro as of antidepressants, whether something is a symptom as what the symptoms are.

Pages for patients tell of classes of medicines oftener than of one, and list symptoms. What they say is an answer that
can be given where nothing tells just what was asked; the reader is told to what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from core.schema import Concept, Evidence, Mention, Outcome

Kinds = Callable[[Concept], Sequence[str]]
"""What people call the medicines that a concept is one of, the most telling first; nothing where it is none."""

_BEFORE = re.compile(r"\b(?:an?|the|my|your|this|that|some|taking an?)\s+$", re.IGNORECASE)
_AFTER = re.compile(r"^\s+(?:pills?|tablets?|capsules?|medicines?|medications?|meds?)\b", re.IGNORECASE)
_OF_THIS_ONE = re.compile(
    r"\d|\b(?:mg|doses?|dosage|refill\w*|prescri\w+|generic|brand|cost\w*|price"
    r"|tablets|pills|get|give|send|try|switch\w*|instead|chang\w+|choose|rather"
    r"|safe\w*|harm\w*|pregnan\w*|breast\w*|nursing|bab(?:y|ies)|kids?|child\w*|toddlers?|sons?|daughters?|alcohol|drink\w*|beers?|wine"
    r"|allergic|kidneys?|liver|overdose\w*|together|mix\w*|combin\w+|interact\w*)\b"
    r"|^(?:is|are) (?:it|this|that|these|those) ",
    re.IGNORECASE,
)
"""What is asked of one medicine alone: how much of it, what it costs, whether to have it or another, whether it is safe
for whom and with what, in which medicines of a kind differ (one antibiotic goes with alcohol, another does not).
"""
_OF_ITS_NAME = frozenset({"names", "class"})
"""Aspects that what is told of its kind says nothing of."""
_OF_SYMPTOM = re.compile(r"\b(?:symptom|sign)s?\b", re.IGNORECASE)


class WidenInput(NamedTuple):
    """A question that stands alone, the concepts that it mentions, the aspect asked for, and what it is related to."""

    question: str
    mentions: tuple[Mention, ...]
    aspect: str
    related: str = ""


class Widened(NamedTuple):
    """The question asked wider: of all medicines of a kind, or, without a kind, of all symptoms of what is named.

    ``named`` is the medicine or the disease that was asked about, as it was called.
    """

    question: str
    kind: str
    named: str


TOLD = 0.7
"""How likely an answer of a kind answers of one of it, at the most: of 22 that were read, seven in ten did.

Of answers that tell all symptoms none were graded: the same is taken.
"""


def on_kind(evidence: Sequence[Evidence], kind: str) -> tuple[Evidence, ...]:
    """What is written of all medicines of a kind, by its title: what others say of some need not hold for one.

    Without a kind, everything.
    """
    return tuple(e for e in evidence if e.title.lower().startswith(kind.lower().removesuffix("s")))


def widener(kinds: Kinds) -> Runnable[WidenInput, Outcome[Widened | None]]:
    """A Runnable to the wider question; None where it is about neither one medicine of a kind nor a symptom."""
    return RunnableLambda(lambda given: Outcome(value=widened(given, kinds)), name="widen")


def widened(given: WidenInput, kinds: Kinds) -> Widened | None:
    """The question with the medicine's kind in its place, without the article before it and the form after it.

    Of whether something is a symptom, what the symptoms are. Not where two medicines are asked about, a number or what
    only this one has: its dose, its price, its names.
    """
    question, mentions, aspect, related = given
    if aspect == "relation" and related and _OF_SYMPTOM.search(question):
        return Widened(f"What are the symptoms of {related}?", "", related)
    if aspect in _OF_ITS_NAME or _OF_THIS_ONE.search(question):
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
