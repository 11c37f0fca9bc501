"""A hypothetical document that would answer the question (HyDE; Gao et al., 2023): its embedding is the query."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.fallback import or_else
from chains.replies import HypotheticalDocument
from core.model.client import Model, Prompt
from core.schema import Outcome
from prompts import system_and_user

LONGEST = 4_000
"""Characters of the document at most: more would not be read by an embedder."""


def hypothesizer() -> Runnable[str, Outcome[str]]:
    """Without a model nothing is imagined: the question stands in."""
    return RunnableLambda(lambda question: Outcome(value=question), name="hypothesize")


def model_hypothesizer(model: Model) -> Runnable[str, Outcome[str]]:
    """A Runnable from a question to the document that a model imagines; the question, where it fails or writes none."""

    def imagine(question: str) -> Outcome[str]:
        def ask() -> Outcome[str]:
            reply = model.ask(HypotheticalDocument, Prompt(*system_and_user("hypothetical", question=question)))
            return Outcome(value=reply.value.text.strip()[:LONGEST] or question, usage=reply.usage)

        return or_else("hypothetical document", ask, lambda: Outcome(value=question))

    return RunnableLambda(imagine, name="hypothesize")
