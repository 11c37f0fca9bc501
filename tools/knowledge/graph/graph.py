"""The fuzzy concept graph: concepts as nodes, an edge where the membership of two exceeds τ, paths as evidence.

The graph is undirected, since μ is symmetric: evidence for a and b is evidence for b and a. A node keeps its nearest
neighbours, at most 32. As an edge has two ends, both must have room: of the pairs of which one is among the 32 nearest
of the other, the most similar come first. Every pair of mutual nearest neighbours is among those; a concept that many
others are near to (a hub) fills up with the nearest of them, and the others use their room among themselves. So no
query depends on how popular a concept is: its neighbourhood of two hops has at most 32 · 31 paths.

A negative edge is a pair that a vocabulary states not to go together (HPO's NOT rows). It is taken out of the similar
ones, so that no path leads over it, and counts as contradiction of that pair alone: similarity does not carry it on, as
a disease is often told from the one most like it by what it excludes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, StoreCorrupted
from tools.knowledge.graph import files
from tools.knowledge.graph.adjacency import Adjacency, Edges, Floats
from tools.knowledge.graph.found import MOST_HOPS, Found, Values
from tools.knowledge.graph.given import codes, negative_rows, require, unit_vectors
from tools.knowledge.graph.identifiers import Identifiers
from tools.knowledge.graph.membership import LITERAL, STEEP, Membership
from tools.knowledge.graph.neighbours import Progress, nearest_edges, within_degree
from tools.knowledge.graph.paths import Bounds, best_paths
from tools.knowledge.graph.scores import ConceptPath, PathEvidence, weigh

NEIGHBOURS = 32
TAU = 0.2
ALPHA = 0.9
LITERAL_NODES = 2_000


class ConceptGraph:
    """Concepts, their similar ones and their negative edges; ``build`` or ``open`` makes one, and it never changes."""

    def __init__(
        self, identifiers: Identifiers, adjacency: Adjacency, denied: NDArray[np.int64], about: dict[str, Any]
    ) -> None:
        """Take the parts as ``build`` makes them; ``denied`` are codes of pairs, ascending (see ``given.codes``)."""
        self.about = about
        """How it was made: ``slope``, ``midpoint``, ``tau``, ``neighbours`` (None: no limit)."""
        self._identifiers = identifiers
        self._adjacency = adjacency
        self._denied = denied
        self._weakest = float(adjacency.weights.min(initial=1.0))
        self._strongest = float(adjacency.weights.max(initial=0.0))

    @classmethod
    def build(
        cls,
        ids: Sequence[str],
        vectors: NDArray[np.floating],
        *,
        neighbours: int = NEIGHBOURS,
        tau: float = TAU,
        slope: float = STEEP.slope,
        midpoint: float = STEEP.midpoint,
        block: int | None = None,
        progress: Progress | None = None,
        negative: Iterable[tuple[str, str]] = (),
    ) -> ConceptGraph:
        """Join every concept to its nearest ones whose membership is above τ, at most ``neighbours``.

        ``vectors`` are the embeddings (concepts by dimensions), of any length. ``negative`` are pairs of ids, in any
        order. ``block`` is how many concepts are compared with all at a time (default: what takes 128 MB).

        Raises:
            InputError: ids or vectors are not what they must be, or a negative pair is not of two of the concepts.
            SettingsError: a setting has a value that cannot work.
        """
        require(
            neighbours >= 1 and (block is None or block >= 1), f"neighbours {neighbours}, block {block}: at least 1"
        )
        require(0 <= tau < 1, f"tau {tau}: from 0 to below 1")
        membership = Membership(slope, midpoint)
        identifiers = Identifiers.of(ids)
        unit = unit_vectors(ids, vectors)
        denied = negative_rows(identifiers, negative)
        edges = nearest_edges(unit, neighbours, denied, block, progress)
        weights = membership.of(edges.values)
        above = weights > tau
        edges = Edges(edges.low[above], edges.high[above], edges.values[above])
        kept = within_degree(len(unit), edges, neighbours)
        about = {"slope": slope, "midpoint": midpoint, "tau": tau, "neighbours": neighbours}
        joined = Edges(edges.low[kept], edges.high[kept], weights[above][kept])
        return cls(identifiers, Adjacency.of(len(unit), joined), codes(denied, len(unit)), about)

    @classmethod
    def open(cls, folder: Path) -> ConceptGraph:
        """Map a saved graph.

        Raises:
            StoreError: there is none, or one of another version of the format.
            StoreCorrupted: it is damaged or incomplete.
        """
        arrays, about = files.read(folder)
        try:
            identifiers = Identifiers(arrays["names"], arrays["order"])
            adjacency = Adjacency(arrays["offsets"], arrays["nodes"], arrays["weights"])
            return cls(identifiers, adjacency, arrays["denied"], about)
        except KeyError as error:
            raise StoreCorrupted(f"the concept graph in {folder} lacks {error}: build it again") from error

    def save(self, folder: Path) -> None:
        """Write the graph into a folder, made where it is missing, whole or not at all, in place of one that is there.

        Raises:
            StoreError: the folder cannot be written.
        """
        arrays = {"names": self._identifiers.names, "order": self._identifiers.order, "denied": self._denied}
        files.write(folder, arrays | self._adjacency._asdict(), self.about)

    def __len__(self) -> int:
        """How many concepts there are."""
        return len(self._identifiers)

    def __contains__(self, concept: object) -> bool:
        return isinstance(concept, str) and self._identifiers.row(concept) is not None

    @property
    def edges(self) -> int:
        """How many pairs are joined."""
        return len(self._adjacency.nodes) // 2

    def neighbours(self, concept: str) -> list[tuple[str, float]]:
        """The concepts joined to one, by their ids, with their memberships, highest first.

        Raises:
            InputError: the graph has no such concept.
        """
        nodes, weights = self._adjacency.neighbours(self._row(concept))
        order = np.argsort(-weights, kind="stable")
        return list(zip(self._identifiers.at(nodes[order]), weights[order].tolist(), strict=True))

    def denies(self, a: str, b: str) -> bool:
        """Whether two concepts are a negative edge.

        Raises:
            InputError: the graph lacks one of them.
        """
        return self._denies(*sorted((self._row(a), self._row(b))))

    def evidence(
        self, a: str, b: str, *, hops: int = MOST_HOPS, least: float = TAU, alpha: float = ALPHA, best: int = 64
    ) -> PathEvidence | None:
        """Weigh the best paths and counter-paths between two concepts; None where nothing joins or denies them.

        A path has at most ``hops`` hops, every edge a membership of at least ``least`` and no concept twice. Of each
        kind the ``best`` highest count; equal ones come with fewer hops first, then by the rows of their concepts.
        ``evidence(b, a)`` is the same, read backwards.

        Raises:
            InputError: the graph lacks one of the concepts, or they are the same.
            SettingsError: a setting has a value that cannot work.
        """
        require(1 <= hops <= MOST_HOPS, f"hops {hops}: from 1 to {MOST_HOPS}")
        require(0 <= least <= 1 and 0 < alpha <= 1, f"least {least}, alpha {alpha}: from 0 to 1, alpha above 0")
        require(best >= 1, f"best {best}: at least 1")
        low, high = sorted((self._row(a), self._row(b)))
        if low == high:
            raise InputError(f"{a!r} twice: paths join two different concepts")
        bounds = Bounds(hops, least, best)

        def supporting(weights: Floats) -> Values:
            return alpha * weights.astype(np.float64)

        def opposing(weights: Floats) -> Values:
            return 1 - alpha * weights.astype(np.float64)

        # What is compared with the weights is rounded as they are.
        weakest = max(self._weakest, float(np.float32(least)))
        largest = (alpha * self._strongest, 1 - alpha * weakest)
        backwards = self._row(a) != low
        support, contradiction = (
            self._paths(best_paths(self._adjacency, (low, high), factor, most, bounds), backwards)
            for factor, most in zip((supporting, opposing), largest, strict=True)
        )
        denied = self._denies(low, high)
        return weigh((a, b), support, contradiction, denied, alpha) if support or denied else None

    def _row(self, concept: str) -> int:
        row = self._identifiers.row(concept)
        if row is None:
            raise InputError(
                f"the concept graph has no {concept!r} among its {len(self)} concepts: "
                "look its id up, or build the graph with it"
            )
        return row

    def _denies(self, low: int, high: int) -> bool:
        code = low * len(self) + high
        place = int(np.searchsorted(self._denied, code))
        return place < len(self._denied) and int(self._denied[place]) == code

    def _paths(self, found: Found, backwards: bool) -> list[ConceptPath]:
        # The padding, −1, reads the last concept's id: no path reaches so far.
        ids, weights = self._identifiers.at(found.nodes.ravel()), found.weights.tolist()
        paths: list[ConceptPath] = []
        for place, (hops, value) in enumerate(zip(found.hops.tolist(), found.values.tolist(), strict=True)):
            start = place * (MOST_HOPS + 1)
            along, by = ids[start : start + hops + 1], weights[place][:hops]
            if backwards:
                along.reverse()
                by.reverse()
            paths.append(ConceptPath(tuple(along), tuple(by), value))
        return paths


def literal_graph(ids: Sequence[str], vectors: NDArray[np.floating], tau: float = 0.5) -> ConceptGraph:
    """The paper's τ-graph: slope 1, midpoint 0, an edge for every pair whose membership is above τ.

    Memberships are from 0.27 to 0.73, so that a τ below 0.27 joins all concepts to all.

    Raises:
        InputError: there are more than 2,000 concepts, or ids or vectors are not what they must be.
        SettingsError: τ is not from 0 to below 1.
    """
    if len(ids) > LITERAL_NODES:
        raise InputError(
            f"{len(ids)} concepts: the literal graph joins all pairs and is for at most {LITERAL_NODES}; "
            "build a graph with a limit of neighbours"
        )
    require(0 <= tau < 1, f"tau {tau}: from 0 to below 1")
    identifiers = Identifiers.of(ids)
    unit = unit_vectors(ids, vectors)
    low, high = np.triu_indices(len(unit), 1)
    weights = LITERAL.of((unit @ unit.T)[low, high])
    above = weights > tau
    edges = Edges(low[above].astype(np.int32), high[above].astype(np.int32), weights[above])
    about = {"slope": LITERAL.slope, "midpoint": LITERAL.midpoint, "tau": tau, "neighbours": None}
    return ConceptGraph(identifiers, Adjacency.of(len(unit), edges), np.zeros(0, np.int64), about)
