"""Alternative phrasings of a question (HALO's multi-query expansion): by the names of its concepts, or by a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.fallback import or_else
from chains.replies import Queries
from chains.understanding import Understanding
from core.model.client import Model, Prompt
from core.schema import Concept, Outcome
from core.text import end_of, terms
from prompts import system_and_user

Names = Callable[[Concept], Sequence[str]]
"""All names of a concept, the preferred one first."""


LONGEST = 400
"""Characters of a query: what is longer is no query."""


class ExpandInput(NamedTuple):
    """What is expanded: a question as understood, its options where it is a choice, and what is wanted of it."""

    understanding: Understanding
    options: tuple[str, ...] = ()
    phrasings: bool = True
    hypothetical: bool = False


def searched(understanding: Understanding) -> tuple[str, ...]:
    """What is searched for first: each of the questions, and the whole text; of a long one the end, which asks."""
    texts = (*(question.text for question in understanding.questions), understanding.text)
    return tuple(dict.fromkeys(end_of(text, LONGEST) for text in texts))


def expander(names: Names, limit: int) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
    """A Runnable from a question to at most ``limit`` generated queries; the question itself is not among them."""

    def expand(asked: ExpandInput) -> Outcome[tuple[str, ...]]:
        return Outcome(value=expansions(asked.understanding, asked.options, names, limit))

    return RunnableLambda(expand, name="expand")


def model_expander(
    model: Model, without_model: Runnable[ExpandInput, Outcome[tuple[str, ...]]], limit: int
) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
    """The same by a model; where it fails, or writes nothing new, ``without_model`` expands."""

    def expand(asked: ExpandInput) -> Outcome[tuple[str, ...]]:
        question, options = asked.understanding.text, "\n".join(f"- {option}" for option in asked.options)
        prompt = Prompt(*system_and_user("expand", count=str(limit), question=question, options=options))

        def ask() -> Outcome[tuple[str, ...]]:
            reply = model.ask(Queries, prompt)
            lines = (line.strip() for query in reply.value.queries for line in query.splitlines())
            queries = distinct((line for line in lines if len(line) <= LONGEST), limit, known=[question])
            return Outcome(value=queries or without_model.invoke(asked).value, usage=reply.usage)

        return or_else("expand", ask, lambda: without_model.invoke(asked)) if limit else Outcome(value=())

    return RunnableLambda(expand, name="expand")


def expansions(understanding: Understanding, options: Sequence[str], names: Names, limit: int) -> tuple[str, ...]:
    """Queries that differ from the question and from each other in their words, best first.

    Options come first, each with the question's subject; then the question with its concepts renamed.
    """
    with_options = (f"{understanding.subject or understanding.text} {option}" for option in options)
    limit = max(limit, len(options)) if limit else 0
    return distinct(chain(with_options, renamed(understanding, names)), limit, known=[understanding.text])


def renamed(understanding: Understanding, names: Names) -> Iterator[str]:
    """The question with one concept at a time called by another of its names; concepts take turns."""
    text = understanding.text
    per_mention = [
        [text[: m.start] + name + text[m.end :] for name in names(m.concept)] for m in understanding.mentions
    ]
    return (query for row in zip_longest(*per_mention) for query in row if query)


def distinct(queries: Iterable[str], limit: int, known: Iterable[str]) -> tuple[str, ...]:
    """The first ``limit`` queries whose set of words neither a known query nor an earlier one has."""
    seen = {frozenset(terms(query)) for query in known}
    kept: list[str] = []
    for query in queries:
        key = frozenset(terms(query))
        if len(kept) < limit and key and key not in seen:
            seen.add(key)
            kept.append(query)
    return tuple(kept)
