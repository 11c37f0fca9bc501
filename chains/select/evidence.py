"""From everything that the sources returned to the few passages that go on to the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from langchain_core.runnables import Runnable, RunnableLambda
from numpy.typing import NDArray

from chains.plan import Selection
from chains.select.mmr import Matrix, multi_query_mmr
from core.schema import Evidence, Outcome

Rescore = Callable[[str, Sequence[str]], Sequence[float] | NDArray[np.float32]]
"""Scores of texts for one query, higher for better."""

DOCUMENTS = 3
"""Different documents that ground an answer from certified texts (HyDE's j)."""
RERANKED = 50
"""Candidates that a cross-encoder reads at most."""
RRF = 60
"""Of reciprocal rank fusion (Cormack et al., 2009)."""
ANCHORS = 4
"""So many of the likeliest passages are chosen before diversity counts: the answer is written from them."""

RELEVANT = 0.5
"""A piece that more likely answers the question than not may stand for its source."""


class SelectInput(NamedTuple):
    """What was found, how likely each piece answers the question, and the queries it was found with."""

    candidates: tuple[Evidence, ...]
    relevance: Mapping[str, float]
    queries: tuple[str, ...]
    how: Selection = "mmr"
    weighed: bool = True
    rerank: bool = False
    document: str = ""
    """What a cross-encoder scores candidates for: the hypothetical document, or the question."""


def selector(
    vectors: Callable[[Sequence[Evidence]], Matrix],
    encode: Callable[[Sequence[str]], Matrix],
    k: int,
    lambda_: float,
    strength: Callable[[Evidence], float] | None = None,
    rescore: Rescore | None = None,
) -> Runnable[SelectInput, Outcome[tuple[Evidence, ...]]]:
    """A Runnable to the ``k`` pieces of evidence that go on, the most relevant first.

    Args:
        vectors: embeddings of evidence, n × d.
        encode: embeddings of queries, n × d.
        k: how many go on.
        lambda_: relevance against diversity.
        strength: how much a piece's relevance counts, in [0, 1]; alike for all where it is left out.
        rescore: a cross-encoder's scores of texts for a query, to re-rank by; None: by what is known without one.
    """

    def select(given: SelectInput) -> Outcome[tuple[Evidence, ...]]:
        if given.how == "documents":
            return Outcome(value=first_documents(_reranked(given, given.candidates, rescore)))
        ordered = by_sources(given.candidates)
        if given.weighed:
            ordered = weighed(ordered, given.relevance, strength or _alike)
        if given.rerank and rescore is not None:
            ordered = [*_reranked(given, ordered[:RERANKED], rescore), *ordered[RERANKED:]]
        if given.how == "best" or len(ordered) <= k:
            picks: Sequence[int] = range(min(k, len(ordered)))
        else:
            anchors = _likeliest(ordered, given.relevance, min(ANCHORS, k)) if given.weighed else ()
            picks = multi_query_mmr(vectors(ordered), encode(given.queries), k, lambda_, anchors)
        if not given.weighed:
            return Outcome(value=tuple(ordered[i] for i in picks))
        return Outcome(value=tuple(ordered[i] for i in sorted(balanced(picks, ordered, given.relevance))))

    return RunnableLambda(select, name="select")


def by_sources(candidates: Sequence[Evidence]) -> list[Evidence]:
    """The first of every source, then the second of every source, and so on: their scores cannot be compared."""
    ranked: dict[str, list[Evidence]] = {}
    for piece in candidates:
        ranked.setdefault(piece.source, []).append(piece)
    rows = zip_longest(*(sorted(pieces, key=lambda e: -e.score) for pieces in ranked.values()))
    return [piece for row in rows for piece in row if piece is not None]


def weighed(
    ordered: Sequence[Evidence], relevance: Mapping[str, float], weight: Callable[[Evidence], float]
) -> list[Evidence]:
    """The sources' ranking, fused with that by relevance by their reciprocal ranks; the strong ones move up in both.

    Where no piece is likely to answer, relevance tells nothing, and the sources' ranking stands alone.
    """
    by_relevance = sorted(ordered, key=lambda e: -relevance.get(e.id, 0.0) * weight(e))
    known = max(relevance.values(), default=0.0) >= RELEVANT
    rankings = (ordered, by_relevance) if known else (ordered,)
    ranks = [{piece.id: rank for rank, piece in enumerate(ranking)} for ranking in rankings]
    return sorted(by_relevance, key=lambda e: -weight(e) * sum(1.0 / (RRF + rank[e.id]) for rank in ranks))


def _likeliest(ordered: Sequence[Evidence], relevance: Mapping[str, float], count: int) -> list[int]:
    """The places of the likeliest, whatever their source thinks of them, the first of equals first."""
    return sorted(range(len(ordered)), key=lambda place: -relevance.get(ordered[place].id, 0.0))[:count]


def first_documents(ranked: Sequence[Evidence], count: int = DOCUMENTS) -> tuple[Evidence, ...]:
    """The first passages of so many different documents."""
    documents: dict[str, Evidence] = {}
    for piece in ranked:
        documents.setdefault(piece.id.partition("#")[0], piece)
    return tuple(documents.values())[:count]


def _reranked(given: SelectInput, ranked: Sequence[Evidence], rescore: Rescore | None) -> Sequence[Evidence]:
    """Candidates by the cross-encoder, by the fused score of their source where there is none, or as they came."""
    if not given.rerank or not ranked:
        return ranked
    scores = rescore(given.document, [e.text for e in ranked]) if rescore else [e.score for e in ranked]
    return [ranked[i] for i in sorted(range(len(ranked)), key=lambda i: -float(scores[i]))]


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
