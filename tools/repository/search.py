"""Hybrid search over derived indexes: exact up to a size, through Chroma's HNSW graph beyond it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.fusion import fuse
from core.lexical import best
from tools.repository.derived import DerivedIndex

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]
Nearest = Callable[[Floats, int], list[list[str]]]
"""From query vectors (queries by dimensions) and k to the ids of each query's approximately nearest passages."""

EXACT_PASSAGES = 100_000
CANDIDATES = 200


@dataclass(frozen=True, slots=True)
class Searched:
    """An index, and how to ask Chroma for its nearest passages where it is too large for exact search."""

    index: DerivedIndex
    nearest: Nearest


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage by the place of its index and its row there, its fused score in [0, 1], and which query gave it."""

    index: int
    row: int
    score: float
    query: int


def ranked(
    searched: Sequence[Searched], queries: Sequence[str], vectors: Floats, k: int, *, dense: bool = False
) -> list[Hit]:
    """The k passages with the highest fused score over all queries; ``vectors`` are the queries' embeddings.

    With ``dense`` they are those of the highest cosine, in its order. Scores of several indexes are fused together, so
    that they can be compared. A passage that has nothing in common with the query takes part in the scaling: the best
    one of a few is not thereby good, nor the only one bad.
    """
    parts = [_scored(s, queries, vectors, max(k, CANDIDATES)) for s in searched]
    nothing = np.zeros((len(queries), 1), np.float32)
    cosines = np.concatenate([*(part.dense for part in parts), nothing], axis=1)
    lexical = np.concatenate([*(part.lexical for part in parts), nothing], axis=1)
    scores = fuse(cosines, lexical)[:, :-1]
    highest = scores.max(axis=0)
    order = cosines[:, :-1].max(axis=0) if dense else highest
    ends = np.cumsum([len(part.rows) for part in parts])
    hits: list[Hit] = []
    for place in best(order, k):
        number = int(np.searchsorted(ends, place, side="right"))
        row = parts[number].rows[place - (ends[number - 1] if number else 0)]
        hits.append(Hit(number, int(row), float(highest[place]), int(scores[:, place].argmax())))
    return hits


@dataclass(frozen=True, slots=True)
class _Scored:
    rows: Rows
    dense: Floats
    lexical: Floats


def _scored(searched: Searched, queries: Sequence[str], vectors: Floats, count: int) -> _Scored:
    """Cosine and BM25 (queries by rows) of all passages, or of the candidates of a large index."""
    index = searched.index
    lexical = np.stack([index.lexical.scores(query) for query in queries])
    if index.size <= EXACT_PASSAGES:
        return _Scored(np.arange(index.size), _cosines(vectors, index.matrix), lexical)
    rows = _candidates(searched, vectors, lexical, count)
    return _Scored(rows, _cosines(vectors, index.matrix[rows]), lexical[:, rows])


def _cosines(vectors: Floats, matrix: Floats) -> Floats:
    # BLAS takes half the time for tall times narrow as for flat times wide.
    return np.ascontiguousarray((matrix @ vectors.T).T)


def _candidates(searched: Searched, vectors: Floats, lexical: Floats, count: int) -> Rows:
    """Rows of the passages that either way of searching ranks high, in order; what this revision lacks is left out."""
    rows: set[int] = set()
    for ids in searched.nearest(vectors, count):
        rows.update(row for row in searched.index.rows(ids) if row is not None)
    for scores in lexical:
        rows.update(int(row) for row in best(scores, count) if scores[row] > 0)
    return np.array(sorted(rows), dtype=np.intp)
