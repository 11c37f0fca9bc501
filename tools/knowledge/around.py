"""The fuzzy concept graph around two concepts of the store: its nodes are what the vocabularies relate to either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.schema import Concept
from tools.knowledge.graph import ConceptGraph, PathEvidence
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
