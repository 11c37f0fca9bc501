"""The fuzzy concept graph alone as a judge of stored texts, for sweeps over its settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import UsageError
from core.records import Record
from core.schema import Concept
from eval.datasets import Example
from eval.runs.systems import Graph
from graphs.resources import Resources
from tools.knowledge.graph import ConceptGraph
from tools.knowledge.graph.membership import LITERAL

LEAST = 0.2
"""The membership that every edge of a path must have: the paper's τ_min."""


class _Given(NamedTuple):
    ends: tuple[str, str]
    ids: Sequence[str]
    vectors: NDArray[np.float32]
    denied: Sequence[tuple[str, str]]


class GraphAlone:
    """Judges a text by the paths between its first and its last concept, over the concepts of its context."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        # The settings of a sweep come one after the other for the same example.
        self._given = lru_cache(maxsize=16)(self._read)

    def verified(self, example: Example, graph: Graph) -> Record:
        """The risk, ``1 − P_net``; none where the text has no two concepts or no path joins them."""
        if example.task != "claim":
            raise UsageError("the graph alone judges stored texts: give a set of claims, such as medhallu or scifact")
        given = self._given(example.claim, "\n".join(example.context))
        evidence = None
        if given is not None:
            built = ConceptGraph.build(
                given.ids,
                given.vectors,
                tau=graph.tau,
                slope=LITERAL.slope,
                midpoint=LITERAL.midpoint,
                negative=given.denied,
            )
            evidence = built.evidence(*given.ends, least=LEAST, alpha=graph.alpha)
        risk = evidence.best.risk if evidence else None
        label = None if risk is None else "supported" if risk <= 0.5 else "contradicted"
        return {"text": example.claim, "choice": label, "risk": risk, "joined": evidence is not None}

    def _read(self, claim: str, context: str) -> _Given | None:
        link, store = self._resources.linker.link, self._resources.knowledge
        own = list({mention.concept.id: mention.concept for mention in link(claim)}.values())
        if len(own) < 2:
            return None
        around = [mention.concept for mention in link(context) if not mention.negated]
        nodes: dict[str, Concept] = {concept.id: concept for concept in (*own, *around)}
        vectors = self._resources.embedder_of("graph").encode([concept.name for concept in nodes.values()])
        ends = own[0].id, own[-1].id
        return _Given(ends, list(nodes), vectors, store.denied(list(nodes.values())))
