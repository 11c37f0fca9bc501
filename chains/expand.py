"""Alternative phrasings of a question (HALO's multi-query expansion), without a model: by the names of its concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.understand import Understanding
from core.schema import Concept, Outcome
from core.text import terms

Names = Callable[[Concept], Sequence[str]]
"""All names of a concept, the preferred one first."""


class ExpandInput(NamedTuple):
    """What is expanded: a question as understood, and its options where it is a choice."""

    understanding: Understanding
    options: tuple[str, ...] = ()


def expander(names: Names, limit: int) -> Runnable[ExpandInput, Outcome[tuple[str, ...]]]:
    """A Runnable from a question to at most ``limit`` generated queries; the question itself is not among them."""

    def expand(asked: ExpandInput) -> Outcome[tuple[str, ...]]:
        return Outcome(value=expansions(asked.understanding, asked.options, names, limit))

    return RunnableLambda(expand)


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
