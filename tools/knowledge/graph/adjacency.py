"""An undirected weighted graph as three flat arrays (compressed sparse rows)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Nodes = NDArray[np.int32]
Offsets = NDArray[np.int64]
Places = NDArray[np.intp]


class Edges(NamedTuple):
    """Pairs of nodes, each once, ``low < high``, with a number each, the cosine or the weight; all (edges,)."""

    low: Nodes
    high: Nodes
    values: Floats


class Adjacency(NamedTuple):
    """The neighbours of node i are ``nodes[offsets[i]:offsets[i + 1]]``, ascending, with their ``weights``.

    Shapes (n + 1,), (2 · edges,) and (2 · edges,): every edge stands at both of its ends.
    """

    offsets: Offsets
    nodes: Nodes
    weights: Floats

    @classmethod
    def of(cls, size: int, edges: Edges) -> Adjacency:
        """Put every edge at both of its ends."""
        start = np.concatenate([edges.low, edges.high]).astype(np.int64)
        end = np.concatenate([edges.high, edges.low])
        order = np.argsort(start * size + end)
        offsets = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(start, minlength=size), out=offsets[1:])
        return cls(offsets, end[order], np.concatenate([edges.values, edges.values])[order])

    def neighbours(self, node: int, least: float = 0.0) -> tuple[Nodes, Floats]:
        """Neighbours of a node, ascending, by edges of at least that weight, and the weights."""
        span = slice(self.offsets[node], self.offsets[node + 1])
        nodes, weights = self.nodes[span], self.weights[span]
        kept = weights >= least
        return nodes[kept], weights[kept]

    def further(self, nodes: Nodes, least: float) -> tuple[Places, Nodes, Floats]:
        """All neighbours of many nodes, by edges of at least that weight.

        Returns:
            Which of ``nodes`` a neighbour belongs to (its place there), the neighbours, the weights.
        """
        starts = self.offsets[nodes]
        counts = self.offsets[nodes + 1] - starts
        places = spans(starts, counts)
        weights = self.weights[places]
        kept = np.flatnonzero(weights >= least)
        return np.repeat(np.arange(len(nodes)), counts)[kept], self.nodes[places[kept]], weights[kept]


def spans(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> Places:
    """Concatenate the ranges ``starts[i] … starts[i] + counts[i] − 1``."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - ends + counts, counts) + np.arange(total)
