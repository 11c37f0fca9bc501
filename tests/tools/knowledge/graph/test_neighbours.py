from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import InputError, SettingsError
from tools.knowledge.graph import STEEP, ConceptGraph
from tools.knowledge.graph.adjacency import Edges
from tools.knowledge.graph.neighbours import within_degree

Vectors = NDArray[np.float64]


def named(count: int) -> list[str]:
    return [f"C{n:02}" for n in range(count)]


def joined(graph: ConceptGraph, ids: list[str]) -> set[tuple[str, str]]:
    return {(a, b) for n, a in enumerate(ids) for b, _ in graph.neighbours(a) if n < int(b[1:])}


def greedily(pairs: list[tuple[float, int, int]], most: int) -> set[tuple[int, int]]:
    """From the highest down, where both ends have room."""
    room: dict[int, int] = {}
    kept = set()
    for _, low, high in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if room.get(low, most) and room.get(high, most):
            room[low], room[high] = room.get(low, most) - 1, room.get(high, most) - 1
            kept.add((low, high))
    return kept


def slowly(vectors: Vectors, most: int, tau: float) -> set[tuple[str, str]]:
    """Pairs of which one is among the nearest of the other, above tau, from the most similar down."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -2)
    near = np.argsort(-cosines, axis=1)[:, : min(most, len(unit) - 1)]
    pairs = {(min(i, j), max(i, j)) for i, row in enumerate(near.tolist()) for j in row}
    above = [(float(cosines[i, j]), i, j) for i, j in pairs if STEEP.of(cosines[i, j]) > tau]
    return {(f"C{i:02}", f"C{j:02}") for i, j in greedily(above, most)}


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000), st.integers(0, 30), st.integers(1, 8), st.integers(1, 31), st.sampled_from([0.0, 0.2, 0.9])
)
def test_edges_are_those_of_comparing_all_with_all(seed: int, count: int, most: int, block: int, tau: float) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, 3))
    graph = ConceptGraph.build(named(count), vectors, neighbours=most, tau=tau, block=block)
    assert joined(graph, named(count)) == slowly(vectors, most, tau)


@pytest.mark.parametrize("most", [1, 3, 30])
def test_so_they_are_where_columns_are_dealt_into_groups(most: int) -> None:
    vectors = np.random.default_rng(3).normal(size=(1300, 8))
    ids = named(1300)
    assert joined(ConceptGraph.build(ids, vectors, neighbours=most, tau=0.0, block=700), ids) == slowly(
        vectors, most, 0.0
    )


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 3)), max_size=30))
def test_rounds_keep_what_going_through_the_edges_singly_keeps(most: int, drawn: list[tuple[int, int, int]]) -> None:
    values = {(min(a, b), max(a, b)): value for a, b, value in drawn if a != b}
    low, high = (np.array([pair[end] for pair in values], np.int32) for end in (0, 1))
    kept = within_degree(8, Edges(low, high, np.array(list(values.values()), np.float32)), most)
    expected = greedily([(float(value), *pair) for pair, value in values.items()], most)
    assert {(int(low[place]), int(high[place])) for place in kept} == expected


def test_a_hub_has_no_more_neighbours_than_any_other_concept() -> None:
    random = np.random.default_rng(0)
    spokes = np.eye(40)[random.permutation(40)] + 1.0
    graph = ConceptGraph.build(["hub", *named(40)], np.vstack([np.ones(40), spokes]), neighbours=5, tau=0.0)
    assert len(graph.neighbours("hub")) == 5
    assert all(len(graph.neighbours(name)) <= 5 for name in named(40))


def test_equally_near_concepts_are_taken_in_their_order() -> None:
    graph = ConceptGraph.build(named(5), np.ones((5, 2)), neighbours=2)
    assert joined(graph, named(5)) == {("C00", "C01"), ("C00", "C02"), ("C01", "C02")}


def test_building_tells_how_far_it_is() -> None:
    told: list[tuple[str, float]] = []
    ConceptGraph.build(named(4), np.eye(4), block=2, progress=lambda what, share: told.append((what, share)))
    assert told == [("comparing concepts", 0.5), ("comparing concepts", 1.0)]


def test_a_concept_without_a_direction_is_named() -> None:
    for bad in (0.0, np.nan, np.inf):
        vectors = np.ones((3, 2))
        vectors[1] = bad
        with pytest.raises(InputError, match="C01"):
            ConceptGraph.build(named(3), vectors)


def test_ids_and_settings_that_cannot_work_are_refused() -> None:
    for ids in (["a", "a"], ["a", ""], ["a", "b\0"], ["a", "é" * 128], ["a"]):
        with pytest.raises(InputError):
            ConceptGraph.build(ids, np.ones((2, 2)))
    with pytest.raises(SettingsError, match="neighbours 0"):
        ConceptGraph.build(["a"], np.ones((1, 2)), neighbours=0)
    with pytest.raises(SettingsError, match="block 0"):
        ConceptGraph.build(["a"], np.ones((1, 2)), block=0)
    with pytest.raises(SettingsError, match="tau"):
        ConceptGraph.build(["a"], np.ones((1, 2)), tau=1.0)
