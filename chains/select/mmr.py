"""Multi-query maximal marginal relevance (HALO, equation 1; after Carbonell and Goldstein, 1998)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


def multi_query_mmr(
    candidates: Matrix, queries: Matrix, k: int, lambda_: float = 0.5, chosen: Sequence[int] = ()
) -> list[int]:
    """Pick ``k`` of n candidates, each the one that maximises relevance to all queries less redundancy.

    ``λ · (1/m) Σ_q Rel(D_i, Q_q) − (1 − λ) · max_{D_j ∈ S} Sim(D_i, D_j)``, cosine for both.

    Args:
        candidates: n × d embeddings of what was retrieved.
        queries: m × d embeddings of the queries.
        k: how many to return at most, those already chosen included.
        lambda_: in [0, 1]; 1 looks at relevance alone.
        chosen: indices that are in S from the start, in their order.

    Returns:
        Indices in the order of choice, the chosen ones first; ties go to the earlier candidate.

    Raises:
        ValueError: where shapes do not fit, there is no query, or λ is outside [0, 1].
    """
    if candidates.ndim != 2 or queries.ndim != 2 or len(queries) == 0 or candidates.shape[1] != queries.shape[1]:
        raise ValueError(f"candidates {candidates.shape} and queries {queries.shape} must be n × d and m × d, m > 0")
    if not 0.0 <= lambda_ <= 1.0:
        raise ValueError(f"λ is {lambda_}, it must be within [0, 1]")
    documents = _unit_rows(candidates)
    # The mean of cosines is one product with the mean of the unit queries.
    relevance = lambda_ * (documents @ _unit_rows(queries).mean(axis=0))
    picked = list(chosen)
    redundancy = (documents @ documents[picked].T).max(axis=1) if picked else np.zeros(len(documents), np.float32)
    relevance[picked] = -np.inf
    while len(picked) < min(k, len(documents)):
        best = int(np.argmax(relevance - (1.0 - lambda_) * redundancy))
        similarity = documents @ documents[best]
        redundancy = np.maximum(redundancy, similarity) if picked else similarity
        relevance[best] = -np.inf
        picked.append(best)
    return picked


def _unit_rows(matrix: Matrix) -> Matrix:
    """Rows of length 1; a row of zeros stays one and is similar to nothing."""
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    norms[norms == 0.0] = 1.0
    unit: Matrix = matrix / norms[:, None]
    return unit
