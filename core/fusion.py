"""How dense and lexical scores become one: a pure function on arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DENSE_WEIGHT = 0.5

Floats = NDArray[np.float32]


def fuse(dense: Floats, lexical: Floats, weight: float = DENSE_WEIGHT) -> Floats:
    """Weighted sum of cosines and lexical shares, both of any one shape; the result has it too and lies in [0, 1].

    ``lexical`` are the scores of ``LexicalIndex``, which mean the same for every query, as cosines do. So nothing is
    scaled by what else was found (as min-max, z-scores and reciprocal ranks do, each of which ranks worse on SciFact
    and BioASQ): scores of several queries and collections compare, and the best of nothing is still low. A cosine
    below 0 counts as 0.
    """
    if dense.shape != lexical.shape:
        raise ValueError(f"dense scores of shape {dense.shape} with lexical ones of shape {lexical.shape}")
    fused: Floats = np.clip(dense, 0, 1, dtype=np.float32)
    fused *= weight
    fused += np.float32(1 - weight) * lexical
    return fused
