"""What stands where a model fails to answer: the answer of the round before, or else sentences of the evidence."""

from __future__ import annotations

from collections.abc import Callable

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.given import AnswerInput
from chains.fallback import model_failure
from core.errors import ModelError
from core.schema import EVIDENCE_ONLY, Draft, Failure, Outcome, Usage

Answerer = Runnable[AnswerInput, Outcome[Draft]]


def rescued(by_model: Answerer, quoting: Answerer, reads: Callable[[str], bool]) -> Answerer:
    """The model's answerer, whose failure is told in the failures and is never the end.

    Args:
        by_model: may raise ModelError. It is not asked again in a question that it has failed at.
        quoting: answers without a model, by sentences of the evidence.
        reads: whether ``quoting`` reads a language (ISO 639-1); it has no answer in another, and none for a method
            whose model is not shown the evidence.
    """

    def quote(given: AnswerInput) -> Outcome[Draft]:
        can = given.passages and reads(given.understanding.language)
        found = quoting.invoke(given) if can else Outcome(value=Draft(text=""))
        return found.model_copy(update={"value": found.value.model_copy(update={"engine": EVIDENCE_ONLY})})

    def write(given: AnswerInput) -> Outcome[Draft]:
        earlier = given.earlier or Draft(text="")
        if earlier.engine == EVIDENCE_ONLY:
            return quote(given)
        try:
            found = by_model.invoke(given)
        except ModelError as error:
            spent = error.usage or Usage()
            if earlier.text:
                kept = Failure(source="model, answer", error=f"{error}; the answer of the round before stands")
                return Outcome(value=earlier, failures=(kept,), usage=spent)
            instead = quote(given)
            failures = (*instead.failures, model_failure("answer", error))
            return Outcome(value=instead.value, failures=failures, usage=instead.usage + spent)
        return found if found.value.text or not earlier.text else found.model_copy(update={"value": earlier})

    return RunnableLambda(write, name="answer")
