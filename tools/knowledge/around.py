"""Fuzzy concept graphs made for one use: around two concepts of the store, or over the concepts of some texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.embeddings import Encode
from core.errors import InputError
from core.schema import Concept
from tools.knowledge.graph import STEEP, Balance, ConceptGraph, PathEvidence
from tools.knowledge.graph.graph import ALPHA, LITERAL_NODES, NEIGHBOURS, TAU
from tools.knowledge.store import KnowledgeStore

NEIGHBOURHOOD = 400


class Shape(NamedTuple):
    """How a graph is made and its paths are counted; the defaults are ours, not the paper's."""

    slope: float = STEEP.slope
    midpoint: float = STEEP.midpoint
    tau: float = TAU
    alpha: float = ALPHA
    neighbours: int = NEIGHBOURS
    """0: no limit."""
    aggregation: str = "max"
    denials: bool = True
    """Pairs that a vocabulary states not to go together are negative edges."""

    def balance(self, evidence: PathEvidence) -> Balance:
        """What the paths say, counted so."""
        return {"max": evidence.best, "sum": evidence.total, "noisy-or": evidence.noisy_or}[self.aggregation]


OURS = Shape()


class Connection(NamedTuple):
    """How two concepts are connected; ``evidence`` is None where no path of either kind leads from one to the other."""

    source: Concept
    target: Concept
    concepts: dict[str, Concept]
    evidence: PathEvidence | None


def connection(
    store: KnowledgeStore,
    encode: Encode,
    source: Concept,
    target: Concept,
    limit: int = NEIGHBOURHOOD,
    shape: Shape = OURS,
) -> Connection:
    """Build the graph over at most ``limit`` concepts around these two, and search it for paths between them.

    Raises:
        InputError: the two are one concept.
    """
    return connections(store, encode, [(source, target)], store.neighbourhood((source, target), limit), shape)[0]


def connections(
    store: KnowledgeStore,
    encode: Encode,
    pairs: Sequence[tuple[Concept, Concept]],
    context: Sequence[Concept],
    shape: Shape = OURS,
) -> list[Connection]:
    """How each pair is connected in the graph over the pairs' concepts and those of ``context``.

    Raises:
        InputError: the two of a pair are one concept, or there are too many concepts to join all to all.
    """
    nodes = {concept.id: concept for concept in (*(c for pair in pairs for c in pair), *context)}
    if not pairs:
        return []
    if not shape.neighbours and len(nodes) > LITERAL_NODES:
        raise InputError(
            f"{len(nodes)} concepts: without a limit of neighbours a graph is for at most {LITERAL_NODES}; "
            "set MEDATTEST_GRAPH_NEIGHBOURS, or give less text"
        )
    ids = list(nodes)
    graph = ConceptGraph.build(
        ids,
        encode([nodes[identifier].name for identifier in ids]),
        neighbours=shape.neighbours or len(ids),
        tau=shape.tau,
        slope=shape.slope,
        midpoint=shape.midpoint,
        negative=store.denied(list(nodes.values())) if shape.denials else (),
    )
    return [Connection(a, b, nodes, graph.evidence(a.id, b.id, alpha=shape.alpha)) for a, b in pairs]


def balances(
    store: KnowledgeStore,
    encode: Encode,
    pairs: Sequence[tuple[Concept, Concept]],
    context: Sequence[Concept],
    shape: Shape = OURS,
) -> list[Balance | None]:
    """What the paths of each pair say; None where no path of either kind leads from one to the other."""
    found = connections(store, encode, pairs, context, shape)
    return [shape.balance(each.evidence) if each.evidence else None for each in found]
