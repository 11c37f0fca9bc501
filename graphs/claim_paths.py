"""The paths between the concepts of each claim, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from chains.verify import ready
from chains.verify.by_graph import Pair, context, ends
from core.schema import Claim, Concept, Evidence
from graphs.resources import Resources
from tools.knowledge.around import connections
from tools.knowledge.graph import to_svg

AROUND = 200
"""Concepts to which relations lead from the two of a claim, at most: those of the evidence alone seldom make a path."""


def claim_paths(resources: Resources, claims: Sequence[Claim], evidence: Sequence[Evidence]) -> list[str | None]:
    """A picture a claim, as SVG; None where it has no two concepts, or no path joins or denies them.

    The graph is over what the evidence tells of and what the vocabularies have around the two.
    """
    link = resources.linker.link
    told = context([piece for piece in evidence if not piece.retracted], link)
    pairs = (ends(claim, link) for claim in ready(claims, link))
    return [_drawn(resources, pair, told) if pair else None for pair in pairs]


def _drawn(resources: Resources, pair: Pair, told: Sequence[Concept]) -> str | None:
    store, encode = resources.knowledge, resources.embedder_of("graph").encode
    nodes = [*told, *store.neighbourhood(pair, AROUND)]
    found = connections(store, encode, [pair], nodes, resources.graph_shape("graph"))[0]
    names = {identifier: concept.name for identifier, concept in found.concepts.items()}
    return to_svg(found.evidence, names) if found.evidence else None
