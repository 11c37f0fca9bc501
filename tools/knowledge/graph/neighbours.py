"""The nearest concepts of every concept, exactly, by blocks of a matrix product: never n × n numbers at once.

A block is B rows of cosines (B × n). Selecting the k best of each row is made cheap by a lower bound on the k-th best:
columns are dealt into ``GROUPS`` groups, and the k-th best of the groups' maxima, which are k different columns, is
exceeded by little more than k of all. One pass takes the maxima, one compares, and only what passes is sorted.
Threads are those of the BLAS library. Time grows with n², memory with B · n.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph.adjacency import Edges, Floats, Places

Progress = Callable[[str, float], None]
"""Gets what is being done and how much of it is done, from 0 to 1."""

GROUPS = 512
BLOCK_NUMBERS = 32_000_000
"""Cosines of a block where its size is not given: 128 MB."""


def nearest_edges(
    unit: Floats, k: int, forbidden: NDArray[np.int32], block: int | None = None, progress: Progress | None = None
) -> Edges:
    """Pairs of which one is among the k nearest of the other, with their cosines, from the lowest pair up.

    Equally near ones are taken from the lowest row up. ``unit`` (n, d) has rows of norm 1. ``forbidden`` (m, 2) are
    pairs of rows that are never neighbours and take nobody's place. ``block`` is rows at a time.
    """
    size = len(unit)
    step = block or max(1, min(1024, BLOCK_NUMBERS // max(1, size)))
    barred = np.concatenate([forbidden, forbidden[:, ::-1]])
    barred = barred[np.argsort(barred[:, 0], kind="stable")]
    buffer = np.empty((min(step, size), size), np.float32)
    parts: list[Edges] = []
    for start in range(0, size, step):
        rows = min(step, size - start)
        cosines = np.matmul(unit[start : start + rows], unit.T, out=buffer[:rows])
        cosines[np.arange(rows), np.arange(start, start + rows)] = -np.inf
        first, last = np.searchsorted(barred[:, 0], (start, start + rows))
        cosines[barred[first:last, 0] - start, barred[first:last, 1]] = -np.inf
        parts.append(_best(cosines, k, start))
        if progress:
            progress("comparing concepts", (start + rows) / size)
    return _each_once(parts, size)


def _best(cosines: Floats, k: int, start: int) -> Edges:
    """The k best columns of each row, a pair each; ``start`` is the number of the first row."""
    floor = _floor(cosines, k)
    row, column = np.divmod(np.flatnonzero(cosines >= floor[:, None]), cosines.shape[1])
    values = cosines[row, column]
    order = np.lexsort((column, -values, row))
    row, column, values = row[order], column[order], values[order]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    kept = (rank < k) & (values > -np.inf)
    row, column = row[kept] + start, column[kept]
    low, high = np.minimum(row, column), np.maximum(row, column)
    return Edges(low.astype(np.int32), high.astype(np.int32), values[kept])


def _floor(cosines: Floats, k: int) -> Floats:
    """A number for each row that at least k of its columns reach, or all of them where there are fewer; (rows,)."""
    rows, size = cosines.shape
    groups = min(size, max(GROUPS, 2 * k))
    if k >= groups:
        return np.full(rows, -np.inf, np.float32)
    layers = size // groups
    dealt = cosines[:, : layers * groups].reshape(rows, layers, groups)
    return np.asarray(np.partition(dealt.max(axis=1), groups - k, axis=1)[:, groups - k])


def _each_once(parts: list[Edges], size: int) -> Edges:
    """Merge pairs found from both ends; the cosine is the higher, as they may differ in the last bit."""
    if not parts:
        return Edges(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32))
    low, high, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    codes = low.astype(np.int64) * size + high
    order = np.lexsort((-values, codes))
    first = order[np.flatnonzero(np.diff(codes[order], prepend=-1))]
    return Edges(low[first], high[first], values[first])


def within_degree(size: int, edges: Edges, most: int) -> Places:
    """Which edges stay where no node may have more than ``most``: from the highest value down, where both have room.

    Equal values are taken from the lowest pair up. This is the greedy b-matching, taken in rounds: an edge that comes,
    at both ends, among as many of the waiting ones as there is room for, is one that going through them singly takes.

    Returns:
        Places in ``edges``, ascending.
    """
    order = np.lexsort((edges.high, edges.low, -edges.values))
    ends = np.stack([edges.low[order], edges.high[order]], axis=1)
    room = np.full(size, most)
    taken = np.zeros(len(order), bool)
    waiting = np.arange(len(order))
    while len(waiting):
        both = ends[waiting]
        fits = (_ranks(both.ravel(), size) < room[both.ravel()]).reshape(-1, 2).all(axis=1)
        taken[waiting[fits]] = True
        room -= np.bincount(both[fits].ravel(), minlength=size)
        waiting = waiting[~fits & (room[both] > 0).all(axis=1)]
    return np.sort(order[taken])


def _ranks(ends: NDArray[np.int32], size: int) -> Places:
    """How many earlier entries name the same node."""
    order = np.argsort(ends, kind="stable")
    counts = np.bincount(ends, minlength=size)
    ranks = np.empty(len(ends), np.intp)
    ranks[order] = np.arange(len(ends)) - np.repeat(np.cumsum(counts) - counts, counts)
    return ranks
