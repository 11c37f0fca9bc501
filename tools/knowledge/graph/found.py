"""Paths that a search has found, and the value that further ones must exceed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph.adjacency import Floats, Nodes, Places

MOST_HOPS = 4

Values = NDArray[np.float64]
Columns = tuple[list[Nodes], list[Floats]]
"""Nodes of paths, hop by hop, and the weights of the edges between them; all (paths,)."""


class Found(NamedTuple):
    """Paths: ``nodes`` (m, 5) and ``weights`` (m, 4), filled up with −1 and 0, their ``hops`` and ``values`` (m,)."""

    nodes: Nodes
    weights: Floats
    hops: NDArray[np.intp]
    values: Values

    def at(self, places: Places) -> Found:
        """Those at some places."""
        return Found(self.nodes[places], self.weights[places], self.hops[places], self.values[places])


class Best:
    """The best of what it is given, batch by batch, each of paths with more hops than the one before.

    Equal values come in the order of fewer hops, then of nodes. ``floor`` is what more hops must exceed: −1 until
    ``most`` paths are there.
    """

    def __init__(self, most: int) -> None:
        self.floor = -1.0
        self._most = most
        self._parts: list[Found] = []

    def add(self, values: Values, columns: Callable[[Places], Columns]) -> None:
        """Keep the best of some paths; ``columns`` gives nodes and weights of those at places."""
        places = np.flatnonzero(values > self.floor)
        if len(places) > self._most:
            # All that equal the last one stay: their nodes decide between them.
            places = places[values[places] >= _nth(values[places], self._most)]
        if not len(places):
            return
        nodes, weights = columns(places)
        padded = np.full((len(places), MOST_HOPS + 1), -1, np.int32)
        edges = np.zeros((len(places), MOST_HOPS), np.float32)
        for hop, column in enumerate(nodes):
            padded[:, hop] = column
        for hop, weight in enumerate(weights):
            edges[:, hop] = weight
        self._parts.append(Found(padded, edges, np.full(len(places), len(weights)), values[places]))
        every = np.concatenate([part.values for part in self._parts])
        if len(every) >= self._most:
            self.floor = _nth(every, self._most)

    def found(self) -> Found:
        """The best, best first."""
        if not self._parts:
            nodes, weights = np.zeros((0, MOST_HOPS + 1), np.int32), np.zeros((0, MOST_HOPS), np.float32)
            return Found(nodes, weights, np.zeros(0, np.intp), np.zeros(0))
        every = Found(*map(np.concatenate, zip(*self._parts, strict=True)))
        return every.at(np.lexsort((*every.nodes.T[::-1], every.hops, -every.values))[: self._most])


def _nth(values: Values, n: int) -> float:
    """The n-th highest."""
    return float(np.partition(values, -n)[-n])
