"""Paths against enumerating all of them in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.knowledge.graph import ConceptGraph, ConceptPath, literal_graph
from tools.knowledge.graph.adjacency import Adjacency, Edges
from tools.knowledge.graph.identifiers import Identifiers

Weighted = dict[str, dict[str, float]]


def walks(edges: Weighted, path: tuple[str, ...], end: str, hops: int, least: float) -> Iterator[tuple[str, ...]]:
    """All simple paths that go on from a beginning to the end, by edges of at least that weight."""
    if path[-1] == end:
        yield path
    elif hops:
        for node, weight in edges[path[-1]].items():
            if node not in path and weight >= float(np.float32(least)):
                yield from walks(edges, (*path, node), end, hops - 1, least)


def ranked(
    edges: Weighted, low: str, high: str, factor: Callable[[float], float], hops: int, least: float, best: int
) -> list[ConceptPath]:
    """The best paths: by value, then hops, then order of concepts."""
    found = []
    for ids in walks(edges, (low,), high, hops, least):
        weights = tuple(edges[a][b] for a, b in pairwise(ids))
        factors = [factor(weight) for weight in weights]
        found.append(ConceptPath(ids, weights, math.prod(factors[:2]) * math.prod(factors[2:][::-1])))
    return sorted(found, key=lambda path: (-path.probability, len(path.ids), path.ids))[:best]


def edges_of(graph: ConceptGraph, ids: list[str]) -> Weighted:
    return {a: dict(graph.neighbours(a)) for a in ids}


# Few directions of short vectors, so that many pairs are equally similar and many paths equally good.
vector = st.tuples(st.integers(-1, 2), st.integers(-1, 2), st.integers(0, 1)).filter(any)
vectors = st.lists(vector, min_size=2, max_size=9).map(lambda drawn: np.array(drawn, np.float64))
hops, best = st.integers(1, 4), st.sampled_from([1, 2, 5, 64, 1000])
least, alpha = st.sampled_from([0.0, 0.2, 0.5, 0.66]), st.sampled_from([0.5, 0.9, 1.0])


def check(graph: ConceptGraph, ids: list[str], hops: int, least: float, alpha: float, best: int) -> None:
    edges = edges_of(graph, ids)
    low, high = ids[0], ids[-1]
    support = ranked(edges, low, high, lambda weight: alpha * weight, hops, least, best)
    counter = ranked(edges, low, high, lambda weight: 1 - alpha * weight, hops, least, best)
    evidence = graph.evidence(low, high, hops=hops, least=least, alpha=alpha, best=best)
    if not support:
        assert evidence is None
        return
    assert evidence is not None
    assert evidence.support == tuple(support)
    assert evidence.contradiction == tuple(counter)
    assert evidence.total.support == math.fsum(path.probability for path in support)
    assert evidence.best.contradiction == counter[0].probability


@settings(deadline=None, max_examples=150)
@given(vectors, st.integers(1, 8), hops, least, alpha, best)
def test_paths_are_those_of_enumerating_all(
    drawn: np.ndarray, neighbours: int, hops: int, least: float, alpha: float, best: int
) -> None:
    ids = [f"C{n}" for n in range(len(drawn))]
    graph = ConceptGraph.build(ids, drawn, neighbours=neighbours, tau=0.0, slope=2.0, midpoint=0.2)
    check(graph, ids, hops, least, alpha, best)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.floats(1, 20), st.integers(2, 11), hops, least, best)
def test_so_they_are_in_graphs_without_ties(
    seed: int, slope: float, count: int, hops: int, least: float, best: int
) -> None:
    ids = [f"C{n:02}" for n in range(count)]
    drawn = np.random.default_rng(seed).normal(size=(count, 4))
    check(ConceptGraph.build(ids, drawn, tau=0.0, slope=slope, midpoint=-0.5), ids, hops, least, 0.9, best)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 10_000), st.integers(2, 8), st.sampled_from([0.4, 0.8, 1.0]), hops, least, alpha, best)
def test_so_they_are_whatever_the_weights(
    seed: int, count: int, share: float, hops: int, least: float, alpha: float, best: int
) -> None:
    random = np.random.default_rng(seed)
    low, high = (ends.astype(np.int32) for ends in np.triu_indices(count, 1))
    there = random.random(len(low)) < share
    weights = random.choice([0.01, 0.21, 0.5, 0.9, 0.999], len(low)).astype(np.float32)
    ids = [f"C{n}" for n in range(count)]
    adjacency = Adjacency.of(count, Edges(low[there], high[there], weights[there]))
    check(ConceptGraph(Identifiers.of(ids), adjacency, np.zeros(0, np.int64), {}), ids, hops, least, alpha, best)


@settings(deadline=None, max_examples=60)
@given(vectors, st.sampled_from([0.0, 0.5, 0.6]), hops, least, best)
def test_so_they_are_in_literal_graphs(drawn: np.ndarray, tau: float, hops: int, least: float, best: int) -> None:
    ids = [f"C{n}" for n in range(len(drawn))]
    check(literal_graph(ids, drawn, tau), ids, hops, least, 0.9, best)


@settings(deadline=None, max_examples=60)
@given(vectors, hops, least)
def test_a_path_obeys_its_bounds_and_reads_the_same_backwards(drawn: np.ndarray, hops: int, least: float) -> None:
    ids = [f"C{n}" for n in range(len(drawn))]
    graph = ConceptGraph.build(ids, drawn, tau=0.0, slope=2.0, midpoint=0.2)
    there, back = (graph.evidence(*ends, hops=hops, least=least) for ends in ((ids[0], ids[-1]), (ids[-1], ids[0])))
    if there is None or back is None:
        assert there is back
        return
    for path in (*there.support, *there.contradiction):
        assert path.ids[0] == ids[0]
        assert path.ids[-1] == ids[-1]
        assert len(path.weights) == len(path.ids) - 1 <= hops
        assert len(set(path.ids)) == len(path.ids)
        assert min(path.weights) >= float(np.float32(least))
    turned = [ConceptPath(path.ids[::-1], path.weights[::-1], path.probability) for path in back.support]
    assert turned == list(there.support)
    assert there[-3:] == back[-3:]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), least, alpha, best)
def test_a_long_path_of_strong_edges_beats_a_short_one_of_weak_edges(
    steps: list[int], least: float, alpha: float, best: int
) -> None:
    angles = np.radians(np.cumsum(steps))
    ids = [f"C{n}" for n in range(len(steps))]
    graph = ConceptGraph.build(ids, np.stack([np.cos(angles), np.sin(angles)], axis=1), tau=0.0)
    check(graph, ids, 4, least, alpha, best)


def layered(widths: list[int], noise: float) -> tuple[ConceptGraph, list[str]]:
    """A graph in which only paths of four hops join the ends: directions that turn by a sixth of a circle a layer."""
    angles = np.repeat(np.arange(len(widths)) * np.pi / 3, widths)
    angles += np.random.default_rng(1).normal(0, noise, len(angles))
    ids = [f"C{n:03}" for n in range(len(angles))]
    return literal_graph(ids, np.stack([np.cos(angles), np.sin(angles)], axis=1), tau=0.6), ids


@pytest.mark.parametrize("widths", [[1, 6, 6, 6, 1], [1, 9, 1, 9, 1], [1, 1, 1, 12, 1]])
@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize("best", [1, 7, 64])
def test_the_best_of_many_joins_are_found(widths: list[int], noise: float, best: int) -> None:
    graph, ids = layered(widths, noise)
    evidence = graph.evidence(ids[0], ids[-1], best=best)
    assert evidence is not None
    assert {len(path.weights) for path in evidence.support} == {4}
    check(graph, ids, 4, 0.2, 0.9, best)
