"""The certified text itself as the answer: unchanged to the byte, never cut, never revised."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.given import AnswerInput
from chains.claims import split_claims
from core.schema import Draft, Evidence, Outcome


def or_verbatim(answerer: Runnable[AnswerInput, Outcome[Draft]]) -> Runnable[AnswerInput, Outcome[Draft]]:
    """The answerer, but for a question that asks for the text itself: it gets the first piece of evidence."""

    def write(given: AnswerInput) -> Outcome[Draft]:
        if not given.asked.settings.verbatim:
            return answerer.invoke(given)
        usable = [e for e in given.evidence if not e.retracted]
        return Outcome(value=verbatim(usable[0]) if usable else Draft(text=""))

    return RunnableLambda(write, name="answer")


def verbatim(evidence: Evidence) -> Draft:
    """A piece of evidence as an answer, its statements as claims that cite it."""
    claims = (claim.model_copy(update={"cited": (evidence.id,)}) for claim in split_claims(evidence.text))
    return Draft(text=evidence.text, citations=(evidence.id,), claims=tuple(claims))
