from __future__ import annotations

import math

import numpy as np
import pytest

from core.errors import InputError, SettingsError
from tools.knowledge.graph import ConceptGraph, literal_graph

IDS = ["HP:0001083", "MESH:D008382", "C0003504"]
CORNER = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
"""Two concepts at a right angle, and one between them: cosines of 0 and √½."""


def test_numbers_are_those_of_the_formulas() -> None:
    graph = literal_graph(IDS, CORNER, tau=0.2)
    evidence = graph.evidence(IDS[0], IDS[1])
    assert evidence is not None
    between = 1 / (1 + math.exp(-math.sqrt(0.5)))
    direct, around = 0.9 * 0.5, (0.9 * between) ** 2
    against, against_around = 1 - 0.9 * 0.5, (1 - 0.9 * between) ** 2
    assert [path.ids for path in evidence.support] == [(IDS[0], IDS[1]), (IDS[0], IDS[2], IDS[1])]
    assert evidence.best == pytest.approx((direct, against, direct, 1 - direct), abs=1e-6)
    assert evidence.total[:2] == pytest.approx((direct + around, against + against_around), abs=1e-6)
    either = 1 - (1 - direct) * (1 - around)
    neither = 1 - (1 - against) * (1 - against_around)
    assert evidence.noisy_or == pytest.approx(
        (either, neither, either / (either + neither), neither / (either + neither)), abs=1e-6
    )


def test_nothing_between_two_concepts_is_no_signal() -> None:
    graph = ConceptGraph.build(IDS[:2], CORNER[:2])
    assert graph.evidence(IDS[0], IDS[1]) is None


def test_a_negative_edge_is_risk_however_similar_the_two_are() -> None:
    random = np.random.default_rng(0)
    close = np.ones((40, 8)) + random.normal(0, 0.01, size=(40, 8))
    ids = [f"C{n}" for n in range(40)]
    graph = ConceptGraph.build(ids, close, negative=[("C1", "C0")])
    evidence = graph.evidence("C0", "C1")
    assert evidence is not None
    assert evidence.denied
    assert evidence.support
    assert all(path.ids != ("C0", "C1") for path in evidence.support)
    for balance in (evidence.best, evidence.total, evidence.noisy_or):
        assert balance.contradiction >= 0.9
        assert balance.risk >= 0.9
    assert "C1" not in dict(graph.neighbours("C0"))


def test_a_negative_edge_speaks_of_its_two_concepts_only() -> None:
    graph = ConceptGraph.build(IDS, CORNER, tau=0.0, negative=[(IDS[0], IDS[2])])
    assert graph.denies(IDS[2], IDS[0])
    assert not graph.denies(IDS[0], IDS[1])
    other = graph.evidence(IDS[1], IDS[2])
    assert other is not None
    assert not other.denied


def test_a_negative_edge_alone_is_a_risk_and_takes_no_neighbours_place() -> None:
    vectors = np.array([[1, 0], [1, 0.01], [1, 0.1]])
    graph = ConceptGraph.build(IDS, vectors, neighbours=1, negative=[(IDS[0], IDS[1])])
    assert graph.neighbours(IDS[1])[0][0] == IDS[2]
    evidence = graph.evidence(IDS[0], IDS[1])
    assert evidence is not None
    assert not evidence.support
    assert evidence.best == (0.0, 0.9, 0.0, 1.0)


def test_a_negative_pair_must_be_of_two_of_the_concepts() -> None:
    for pair in ((IDS[0], "nobody"), (IDS[0], IDS[0])):
        with pytest.raises(InputError, match="negative pair"):
            ConceptGraph.build(IDS, CORNER, negative=[pair])


@pytest.mark.parametrize("unknown", ["HP:9999999", "", "C", "a name that is longer than any id of the graph", "C\0"])
def test_an_unknown_concept_is_an_error_that_says_what_to_do(unknown: str) -> None:
    graph = ConceptGraph.build(IDS, CORNER)
    assert unknown not in graph
    with pytest.raises(InputError, match="look its id up"):
        graph.evidence(IDS[0], unknown)


def test_a_concept_is_no_evidence_of_itself() -> None:
    graph = ConceptGraph.build(IDS, CORNER)
    assert IDS[0] in graph
    with pytest.raises(InputError, match="two different"):
        graph.evidence(IDS[0], IDS[0])


def test_bounds_that_cannot_be_are_refused() -> None:
    graph = ConceptGraph.build(IDS, CORNER)
    for hops, least, alpha, best in (
        (0, 0.2, 0.9, 1),
        (5, 0.2, 0.9, 1),
        (4, -0.1, 0.9, 1),
        (4, 0.2, 0.0, 1),
        (4, 0.2, 0.9, 0),
    ):
        with pytest.raises(SettingsError):
            graph.evidence(IDS[0], IDS[1], hops=hops, least=least, alpha=alpha, best=best)


def test_the_literal_graph_joins_what_is_above_tau_and_no_more() -> None:
    assert literal_graph(IDS, CORNER, tau=0.2).edges == 3
    assert literal_graph(IDS, CORNER, tau=0.5).edges == 2
    assert literal_graph(IDS, CORNER, tau=0.7).edges == 0


def test_the_literal_graph_is_for_small_sets() -> None:
    with pytest.raises(InputError, match="2000"):
        literal_graph([str(n) for n in range(2001)], np.ones((2001, 2)))


def test_ids_of_any_script_are_found() -> None:
    ids = ["β-thalassaemia", "貧血", "a", "ab"]
    graph = ConceptGraph.build(ids, np.ones((4, 2)))
    assert sorted(name for name, _ in graph.neighbours("貧血")) == sorted(set(ids) - {"貧血"})
    assert len(graph) == 4
    assert graph.edges == 6
