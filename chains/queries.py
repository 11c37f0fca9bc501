"""What is searched for: other phrasings of the question, and the document that would answer it, both at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda, RunnableParallel

from chains.expand import ExpandInput
from core.schema import Outcome


class QueriesWritten(NamedTuple):
    """Phrasings of a question, and the hypothetical document; without one, the question."""

    phrasings: tuple[str, ...]
    hypothetical: str


def query_writer(
    expander: Runnable[ExpandInput, Outcome[tuple[str, ...]]], hypothesizer: Runnable[str, Outcome[str]]
) -> Runnable[ExpandInput, Outcome[QueriesWritten]]:
    """A Runnable that does what of the two is wanted at the same time."""
    none: Runnable[ExpandInput, Outcome[tuple[str, ...]]] = RunnableLambda(lambda _: Outcome(value=()))
    itself: Runnable[str, Outcome[str]] = RunnableLambda(lambda question: Outcome(value=question))

    def write(asked: ExpandInput) -> Outcome[QueriesWritten]:
        imagine = hypothesizer if asked.hypothetical else itself
        both: dict[str, Outcome[Any]] = RunnableParallel(
            phrasings=expander if asked.phrasings else none,
            hypothetical=RunnableLambda(lambda given: imagine.invoke(given.understanding.text)),
        ).invoke(asked)
        phrasings, hypothetical = both["phrasings"], both["hypothetical"]
        return Outcome(
            value=QueriesWritten(phrasings.value, hypothetical.value),
            failures=(*phrasings.failures, *hypothetical.failures),
            usage=phrasings.usage + hypothetical.usage,
        )

    return RunnableLambda(write, name="write_queries")
