"""Multi-query MMR against ``langchain_core``'s function, which takes one query: so do both here."""

from __future__ import annotations

from functools import partial

import numpy as np
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from chains.select.mmr import multi_query_mmr
from eval.bench.clock import best_seconds

DIMENSIONS = 384
SIZES = ((50, 10), (200, 20))


def main(seed: int = 0) -> dict[str, float]:
    """Print milliseconds and the ratio at both sizes; the picks must be the same."""
    figures = {}
    random = np.random.default_rng(seed)
    for n, k in SIZES:
        candidates = random.normal(size=(n, DIMENSIONS)).astype(np.float32)
        query = random.normal(size=(1, DIMENSIONS)).astype(np.float32)
        rows = list(candidates)
        if multi_query_mmr(candidates, query, k) != maximal_marginal_relevance(query[0], rows, k=k):
            raise AssertionError("the picks differ: the speeds cannot be compared")
        ours = best_seconds(partial(multi_query_mmr, candidates, query, k), number=20)
        theirs = best_seconds(partial(maximal_marginal_relevance, query[0], rows, k=k), number=2, repeats=3)
        figures[f"{n}→{k}"] = theirs / ours
        print(
            f"MMR {n}→{k}, {DIMENSIONS} dimensions, seed {seed}: {ours * 1e3:.3f} ms, "
            f"langchain_core {theirs * 1e3:.2f} ms: {theirs / ours:.0f}×"
        )
    return figures


if __name__ == "__main__":
    main()
