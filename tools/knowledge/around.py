"""Fuzzy concept graphs made for one use: around two concepts of the store, or over the concepts of some texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.schema import Concept
from tools.knowledge.graph import ConceptGraph, PathEvidence
from tools.knowledge.graph.scores import Balance
from tools.knowledge.store import KnowledgeStore

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Embeddings of texts, n × d."""

NEIGHBOURHOOD = 400


class Connection(NamedTuple):
    """How two concepts are connected; ``evidence`` is None where no path of either kind leads from one to the other."""

    source: Concept
    target: Concept
    concepts: dict[str, Concept]
    evidence: PathEvidence | None


def connection(
    store: KnowledgeStore, encode: Encode, source: Concept, target: Concept, limit: int = NEIGHBOURHOOD
) -> Connection:
    """Build the graph over at most ``limit`` concepts around these two, and search it for paths between them.

    Raises:
        InputError: the two are one concept.
    """
    nodes = {concept.id: concept for concept in store.neighbourhood((source, target), limit)}
    ids = list(nodes)
    vectors = encode([nodes[identifier].name for identifier in ids])
    graph = ConceptGraph.build(ids, vectors, negative=store.denied(list(nodes.values())))
    return Connection(source, target, nodes, graph.evidence(source.id, target.id))


def balances(
    store: KnowledgeStore, encode: Encode, pairs: Sequence[tuple[Concept, Concept]], context: Sequence[Concept]
) -> list[Balance | None]:
    """What the best paths between each pair say, in the graph over the pairs' concepts and those of ``context``.

    None where no path of either kind leads from one to the other.
    """
    nodes = {concept.id: concept for concept in (*(c for pair in pairs for c in pair), *context)}
    if not pairs:
        return []
    ids = list(nodes)
    vectors = encode([nodes[identifier].name for identifier in ids])
    graph = ConceptGraph.build(ids, vectors, negative=store.denied(list(nodes.values())))
    found = (graph.evidence(one.id, other.id) for one, other in pairs)
    return [evidence.best if evidence else None for evidence in found]
