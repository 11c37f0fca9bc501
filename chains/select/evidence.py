"""From everything that the sources returned to the few passages that go on to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.select.mmr import Matrix, multi_query_mmr
from core.schema import Evidence, Outcome

ANCHORS = 3
"""So many of the most relevant passages are chosen before diversity counts: the answer is written from them."""


class SelectInput(NamedTuple):
    """What was found, how likely each piece answers the question, and the queries it was found with."""

    candidates: tuple[Evidence, ...]
    relevance: Mapping[str, float]
    queries: tuple[str, ...]
    diversify: bool = True


def selector(
    vectors: Callable[[Sequence[Evidence]], Matrix],
    encode: Callable[[Sequence[str]], Matrix],
    k: int,
    lambda_: float,
) -> Runnable[SelectInput, Outcome[tuple[Evidence, ...]]]:
    """A Runnable to the ``k`` pieces of evidence that go on, the most relevant first.

    Args:
        vectors: embeddings of evidence, n × d.
        encode: embeddings of texts, n × d.
        k: how many go on.
        lambda_: relevance against diversity.
    """

    def select(given: SelectInput) -> Outcome[tuple[Evidence, ...]]:
        ordered = sorted(given.candidates, key=lambda e: -given.relevance.get(e.id, 0.0))
        if not given.diversify or len(ordered) <= k:
            return Outcome(value=tuple(ordered[:k]))
        picks = multi_query_mmr(vectors(ordered), encode(given.queries), k, lambda_, range(min(ANCHORS, k)))
        return Outcome(value=tuple(ordered[i] for i in sorted(picks)))

    return RunnableLambda(select)


def distinct_evidence(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each piece once: by id, and by text where two sources hold the same; the first one found stays."""
    by_id: dict[str, Evidence] = {}
    texts: set[str] = set()
    for evidence in found:
        text = " ".join(evidence.text.lower().split())
        if evidence.id not in by_id and text not in texts:
            by_id[evidence.id] = evidence
            texts.add(text)
    return tuple(by_id.values())
