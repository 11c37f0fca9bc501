"""How good a ranking is, where a document is relevant or not.

nDCG is that of Järvelin & Kekäläinen (2002) with the logarithmic discount and binary gains of trec_eval and BEIR.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence


def ndcg_at(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int = 10) -> float:
    """Gain of the first k documents over that of the best possible ranking, in [0, 1].

    ``ranking`` names each document once, best first. Raise ValueError where nothing is relevant: such a query has no
    score and belongs in no mean.
    """
    wanted = _wanted(ranking, relevant, k)
    gain = sum(_discount(place) for place, document in enumerate(ranking[:k]) if document in wanted)
    return gain / sum(_discount(place) for place in range(min(k, len(wanted))))


def recall_at(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int = 5) -> float:
    """Share of the relevant documents that are among the first k, in [0, 1]; errors as in ``ndcg_at``."""
    wanted = _wanted(ranking, relevant, k)
    return sum(document in wanted for document in ranking[:k]) / len(wanted)


def _wanted(ranking: Sequence[Hashable], relevant: Collection[Hashable], k: int) -> frozenset[Hashable]:
    if k < 1:
        raise ValueError(f"a ranking is measured at k ≥ 1, not at {k}")
    if not relevant:
        raise ValueError("no document is relevant: leave this query out of the mean")
    if len(set(ranking[:k])) < len(ranking[:k]):
        raise ValueError("a ranking names a document twice: group its passages first")
    return frozenset(relevant)


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)
