"""Choosing exemplars among 100,000 by H2ES, against what LangChain offers for it: MMR over its in-memory store.

Both take the 20 most similar and choose 3 of them, one by likeness to the query and distance from the last, the other
by likeness and unlikeness to all. LangChain's store keeps vectors as lists of numbers and makes a matrix of them at
every search; both sizes show how that grows.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

from chains.select.h2es import h2es
from chains.select.mmr import Matrix
from eval.bench.clock import best_seconds

DIMENSIONS = 384
SIZES = (10_000, 100_000)
POOL, COUNT = 20, 3


def main(seed: int = 0) -> dict[str, float]:
    """Print milliseconds a selection at both sizes; without diversity the choices must be the same."""
    figures = {}
    random = np.random.default_rng(seed)
    for n in SIZES:
        instances = random.normal(size=(n, DIMENSIONS)).astype(np.float32)
        instances /= np.linalg.norm(instances, axis=1, keepdims=True)
        query = instances[0] + 0.5 * instances[1]
        store = _store(instances)
        theirs = [int(d.id or "") for d in _mmr(store, query, 1.0)]
        if [place for place, _ in h2es(query, instances, POOL, COUNT, 1.0, unit=True)] != theirs:
            raise AssertionError("the choices differ: the speeds cannot be compared")
        known = best_seconds(partial(h2es, query, instances, POOL, COUNT, unit=True), number=5)
        unknown = best_seconds(partial(h2es, query, instances, POOL, COUNT), number=5)
        peer = best_seconds(partial(_mmr, store, query, 0.5), number=1, repeats=2)
        figures[str(n)] = peer / known
        print(
            f"H2ES {POOL} of {n:,}, {COUNT} chosen, {DIMENSIONS} dimensions, seed {seed}: {known * 1e3:.1f} ms, with "
            f"rows of any length {unknown * 1e3:.1f} ms; langchain_core MMR {peer * 1e3:.0f} ms: {peer / known:.0f}×"
        )
    return figures


def _store(instances: Matrix) -> InMemoryVectorStore:
    """LangChain's store with these vectors, none of them computed again."""
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=DIMENSIONS))
    for place, vector in enumerate(instances.tolist()):
        store.store[str(place)] = {"id": str(place), "vector": vector, "text": "", "metadata": {}}
    return store


def _mmr(store: InMemoryVectorStore, query: Matrix, lambda_: float) -> list[Document]:
    return store.max_marginal_relevance_search_by_vector(query.tolist(), COUNT, POOL, lambda_mult=lambda_)


if __name__ == "__main__":
    main()
