"""From everything that the sources returned to the few passages that go on to the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.select.mmr import Matrix, multi_query_mmr
from core.schema import Evidence, Outcome

ANCHORS = 3
"""So many of the most relevant passages are chosen before diversity counts: the answer is written from them."""

RELEVANT = 0.5
"""A piece that more likely answers the question than not may stand for its source."""


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
    strength: Callable[[Evidence], float] | None = None,
) -> Runnable[SelectInput, Outcome[tuple[Evidence, ...]]]:
    """A Runnable to the ``k`` pieces of evidence that go on, the most relevant first.

    Args:
        vectors: embeddings of evidence, n × d.
        encode: embeddings of texts, n × d.
        k: how many go on.
        lambda_: relevance against diversity.
        strength: how much a piece's relevance counts, in [0, 1]; alike for all where it is left out.
    """

    def select(given: SelectInput) -> Outcome[tuple[Evidence, ...]]:
        weight = strength or _alike
        ordered = sorted(given.candidates, key=lambda e: -given.relevance.get(e.id, 0.0) * weight(e))
        if not given.diversify or len(ordered) <= k:
            picks: Sequence[int] = range(min(k, len(ordered)))
        else:
            picks = multi_query_mmr(vectors(ordered), encode(given.queries), k, lambda_, range(min(ANCHORS, k)))
        return Outcome(value=tuple(ordered[i] for i in sorted(balanced(picks, ordered, given.relevance))))

    return RunnableLambda(select)


def balanced(picks: Sequence[int], ordered: Sequence[Evidence], relevance: Mapping[str, float]) -> list[int]:
    """Give a source that none of its pieces was picked of, but has a relevant one, a place of the source with most."""
    chosen = sorted(picks)
    for place, piece in enumerate(ordered):
        counts = Counter(ordered[i].source for i in chosen)
        if relevance.get(piece.id, 0.0) < RELEVANT or piece.source in counts:
            continue
        source, count = counts.most_common(1)[0]
        if count > 1:
            chosen.remove(max(i for i in chosen if ordered[i].source == source))
            chosen.append(place)
    return chosen


def _alike(_: Evidence) -> float:
    return 1.0
