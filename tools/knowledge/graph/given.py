"""What a graph is made of, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, SettingsError
from tools.knowledge.graph.identifiers import Identifiers


def unit_vectors(ids: Sequence[str], vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """The vectors with rows of norm 1; raise InputError where there is not one for each id, with a direction."""
    if vectors.ndim != 2 or len(vectors) != len(ids):
        raise InputError(f"{len(ids)} concepts with vectors of shape {vectors.shape}: give a row for each concept")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    wrong = np.flatnonzero(~(np.isfinite(norms) & (norms > 0)))
    if len(wrong):
        raise InputError(f"the vector of {ids[wrong[0]]!r} is zero or not finite: embed it again, or leave it out")
    return np.asarray(vectors / norms, np.float32)


def negative_rows(identifiers: Identifiers, negative: Iterable[tuple[str, str]]) -> NDArray[np.int32]:
    """Rows of negative pairs (m, 2), the lower first; raise InputError where one is not of two of the concepts."""
    rows: list[tuple[int, int]] = []
    for a, b in negative:
        first, second = identifiers.row(a), identifiers.row(b)
        if first is None or second is None or first == second:
            raise InputError(f"negative pair {a!r}, {b!r}: give two different concepts of the graph")
        rows.append((min(first, second), max(first, second)))
    return np.array(rows, np.int32).reshape(-1, 2)


def codes(pairs: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """A number for each pair of rows, ascending, each once."""
    return np.unique(pairs[:, 0].astype(np.int64) * size + pairs[:, 1])


def require(holds: bool, otherwise: str) -> None:
    """Raise SettingsError with that text unless a setting can work."""
    if not holds:
        raise SettingsError(otherwise)
