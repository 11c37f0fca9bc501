"""The best simple paths between two concepts, exactly, by hops and from both ends at once.

A path has at most four hops, every edge at least a least weight, no node twice; its value is the product over its edges
of a factor in [0, 1]. Paths of two hops are common neighbours; those of three are beginnings of two hops whose end is a
neighbour of the other end; those of four are such beginnings from both ends that meet in a node. All of it is on
arrays, and bounded:

- No factor exceeds the largest, so what cannot exceed the last of the best paths with fewer hops is left out (branch
  and bound). In a dense graph of weak edges this ends the search after two hops.
- Of the beginnings that meet in a node, the r-th best from one end and the s-th best from the other make a path that
  comes after ``r · s − 1`` others: those of beginnings no worse, or, for one that would have the node x twice, the path
  of two hops over x, which is no worse either. It can be one of the best k only where ``r · s ≤ k``, so a node is worth
  k · ln k joins, not a product of degrees.

A path's value is the product of its first two factors times the product of the others. Rounding keeps order, so what is
found is what enumerating all paths and sorting them finds, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph.adjacency import Adjacency, Floats, Nodes, Places, spans
from tools.knowledge.graph.found import Best, Columns, Found, Values

Factor = Callable[[Floats], Values]
"""From weights of edges to what each multiplies a path's value by, in [0, 1]."""

Chosen = NDArray[np.intp] | NDArray[np.bool_]

SLACK = 1 - 1e-12
"""A bound is a product in another order than a value: it gives way by more than their rounding can differ."""


class Bounds(NamedTuple):
    """Hops at most (1 to 4), the least weight of an edge, and how many of the best paths are wanted."""

    hops: int
    least: float
    best: int


def best_paths(adjacency: Adjacency, ends: tuple[int, int], factor: Factor, largest: float, bounds: Bounds) -> Found:
    """The best paths between two different nodes, best first; equal ones with fewer hops first, then by nodes.

    ``largest`` is what no factor of an edge within the bounds exceeds, at most 1.
    """
    search = _Search(adjacency, ends, factor, largest, bounds)
    if bounds.hops >= 2:
        search.two()
    if bounds.hops >= 3:
        search.longer()
    return search.best.found()


class _Fan(NamedTuple):
    """Neighbours of an end, ascending, without the other end, with the weights and factors of the edges to them."""

    nodes: Nodes
    weights: Floats
    values: Values

    def at(self, places: Chosen) -> _Fan:
        return _Fan(self.nodes[places], self.weights[places], self.values[places])


class _Beginnings(NamedTuple):
    """Paths of two hops from an end: the first hop's place in its fan, the last node and edge, the value."""

    via: Places
    last: Nodes
    weights: Floats
    values: Values

    def at(self, places: Chosen) -> _Beginnings:
        return _Beginnings(self.via[places], self.last[places], self.weights[places], self.values[places])

    def by_last(self) -> _Beginnings:
        """In groups of the same last node, the best of each first."""
        return self.at(np.lexsort((self.via, -self.values, self.last)))


class _Search:
    """One search, called in the order of hops; making it finds the path of one."""

    def __init__(
        self, adjacency: Adjacency, ends: tuple[int, int], factor: Factor, largest: float, bounds: Bounds
    ) -> None:
        self.best = Best(bounds.best)
        self._adjacency = adjacency
        self._start, self._end = ends
        self._factor = factor
        self._largest = largest
        self._bounds = bounds
        self._ahead = self._fan(self._start, self._end, direct=True)
        self._behind = self._fan(self._end, self._start)

    def two(self) -> None:
        """Common neighbours."""
        ahead, behind = self._ahead, self._behind
        place, met = _places(behind.nodes, ahead.nodes)
        place, own = place[met], np.flatnonzero(met)

        def columns(at: Places) -> Columns:
            a, b = own[at], place[at]
            return self._nodes(len(at), ahead.nodes[a]), [ahead.weights[a], behind.weights[b]]

        self.best.add(ahead.values[own] * behind.values[place], columns)

    def longer(self) -> None:
        """Three hops, and four where the bounds allow."""
        if not len(self._ahead.nodes) or not len(self._behind.nodes):
            return
        fan = self._ahead.at(self._exceeding(self._ahead.values, self._largest * self._behind.values.max()))
        ahead = self._beginnings(fan)
        self._three(fan, ahead)
        if self._bounds.hops >= 4 and len(ahead.last):
            far = self._behind.at(self._exceeding(self._behind.values, self._largest * ahead.values.max()))
            behind = self._beginnings(far)
            if len(behind.last):
                ahead = ahead.at(self._exceeding(ahead.values, behind.values.max()))
                self._four(fan, ahead.by_last(), far, behind.by_last())

    def _three(self, fan: _Fan, ahead: _Beginnings) -> None:
        behind = self._behind
        place, met = _places(behind.nodes, ahead.last)
        place, ahead = place[met], ahead.at(met)

        def columns(at: Places) -> Columns:
            via, b = ahead.via[at], place[at]
            nodes = self._nodes(len(at), fan.nodes[via], ahead.last[at])
            return nodes, [fan.weights[via], ahead.weights[at], behind.weights[b]]

        self.best.add(ahead.values * behind.values[place], columns)

    def _four(self, fan: _Fan, ahead: _Beginnings, far: _Fan, behind: _Beginnings) -> None:
        rank = np.arange(1, len(ahead.last) + 1) - np.searchsorted(ahead.last, ahead.last)
        low = np.searchsorted(behind.last, ahead.last)
        many = np.searchsorted(behind.last, ahead.last, side="right") - low
        many = np.minimum(many, self._bounds.best // rank)
        left, right = np.repeat(np.arange(len(many)), many), spans(low, many)
        kept = fan.nodes[ahead.via[left]] != far.nodes[behind.via[right]]
        left, right = left[kept], right[kept]

        def columns(at: Places) -> Columns:
            a, b = left[at], right[at]
            out, back = ahead.via[a], behind.via[b]
            nodes = self._nodes(len(at), fan.nodes[out], ahead.last[a], far.nodes[back])
            return nodes, [fan.weights[out], ahead.weights[a], behind.weights[b], far.weights[back]]

        self.best.add(ahead.values[left] * behind.values[right], columns)

    def _exceeding(self, values: Values, rest: float) -> NDArray[np.bool_]:
        """Which values can exceed the floor where the rest of their paths is worth that at most."""
        # Until there is a floor it is −1, and a rest of 0 must pass it too.
        return values * rest > min(self.best.floor, self.best.floor * SLACK)

    def _fan(self, node: int, other: int, direct: bool = False) -> _Fan:
        """The neighbours of an end but the other one; where asked, the edge to that one is found as a path."""
        nodes, weights = self._adjacency.neighbours(node, self._bounds.least)
        values = self._factor(weights)
        place = int(np.searchsorted(nodes, other))
        if place == len(nodes) or nodes[place] != other:
            return _Fan(nodes, weights, values)
        if direct:
            edge = slice(place, place + 1)
            self.best.add(values[edge], lambda at: (self._nodes(len(at)), [weights[edge]]))
        return _Fan(nodes, weights, values).at(np.arange(len(nodes)) != place)

    def _beginnings(self, fan: _Fan) -> _Beginnings:
        via, last, weights = self._adjacency.further(fan.nodes, self._bounds.least)
        kept = np.flatnonzero((last != self._start) & (last != self._end))
        via, last, weights = via[kept], last[kept], weights[kept]
        return _Beginnings(via, last, weights, fan.values[via] * self._factor(weights))

    def _nodes(self, count: int, *between: Nodes) -> list[Nodes]:
        return [np.full(count, self._start, np.int32), *between, np.full(count, self._end, np.int32)]


def _places(ascending: Nodes, wanted: Nodes) -> tuple[Places, NDArray[np.bool_]]:
    """Where each wanted node stands in ascending ones, and whether it does."""
    places = np.searchsorted(ascending, wanted)
    if not len(ascending):
        return places, np.zeros(len(wanted), bool)
    places = np.minimum(places, len(ascending) - 1)
    return places, ascending[places] == wanted
