"""The concept graph: time and memory to build it, time of a query, and of networkx's for the same paths.

Vectors are synthetic: unit vectors in clusters, as embeddings of names are. Queries are pairs of one to four hops on a
random walk, as the two concepts of a claim are seldom far apart, and as many pairs drawn from all. networkx, in a
process of its own, enumerates all simple paths of at most four hops, on the edges of the two ends and their neighbours
alone, which hold every such path; building its graph is not counted. Its answers must be ours: the best path of support
and of contradiction exactly, the sums over the 64 best to nine digits.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from typing_extensions import TypedDict

from core.errors import InputError
from eval.bench.search import clustered
from tools.knowledge.graph import ConceptGraph

PEER = """
import heapq, json, math, sys, time
import networkx
given = json.load(sys.stdin)
answers, seconds = [], []
for query in given["queries"]:
    graph = networkx.Graph()
    graph.add_weighted_edges_from(query["edges"])
    a, b = query["ends"]
    began = time.perf_counter()
    support, counter = [], []
    for path in networkx.all_simple_paths(graph, a, b, cutoff=4) if a in graph and b in graph else ():
        weights = [given["alpha"] * graph[u][v]["weight"] for u, v in zip(path, path[1:])]
        support.append((-math.prod(weights), len(path), path))
        counter.append((-math.prod(1 - w for w in weights), len(path), path))
    best = [heapq.nsmallest(given["best"], paths) for paths in (support, counter)]
    seconds.append(time.perf_counter() - began)
    answers.append([{"path": kind[0][2], "total": -sum(p for p, _, _ in kind)} if kind else None for kind in best])
json.dump({"version": networkx.__version__, "seconds": seconds, "answers": answers}, sys.stdout)
"""
LEAST, ALPHA, BEST = 0.2, 0.9, 64


class Answer(TypedDict):
    """What networkx found of one kind: the best path, and the sum of the best ones."""

    path: list[str]
    total: float


class Pair(NamedTuple):
    """Two concepts, and how far apart they are: ``near`` (one to four hops on a walk) or ``any``."""

    a: str
    b: str
    apart: str


def pairs(graph: ConceptGraph, ids: Sequence[str], count: int, seed: int) -> list[Pair]:
    """Near pairs first, then as many drawn from all."""
    random = np.random.default_rng(seed)
    drawn = [(ids[a], ids[b]) for a, b in random.integers(len(ids), size=(count, 2)).tolist()]
    near: list[Pair] = []
    for start, _ in drawn:
        end = start
        for _ in range(int(random.integers(1, 5))):
            around = graph.neighbours(end)
            end = around[int(random.integers(len(around)))][0] if around else end
        near.append(Pair(start, end, "near"))
    return [pair for pair in (*near, *(Pair(a, b, "any") for a, b in drawn)) if pair.a != pair.b]


def query_seconds(graph: ConceptGraph, asked: Sequence[Pair]) -> list[float]:
    """Seconds of each query."""
    seconds = []
    for a, b, _ in asked:
        began = time.perf_counter()
        graph.evidence(a, b, least=LEAST, alpha=ALPHA, best=BEST)
        seconds.append(time.perf_counter() - began)
    return seconds


def edges_around(graph: ConceptGraph, ends: Sequence[str]) -> list[tuple[str, str, float]]:
    """Every edge that a path of four hops between the ends can use: those of the concepts within a hop of either."""
    within = {near for end in ends for near, weight in graph.neighbours(end) if weight >= LEAST} | set(ends)
    edges = {(min(a, b), max(a, b)): w for a in within for b, w in graph.neighbours(a) if w >= np.float32(LEAST)}
    return [(a, b, weight) for (a, b), weight in edges.items()]


def compare(python: Path, graph: ConceptGraph, asked: Sequence[Pair]) -> None:
    """Print how many times networkx's median query takes; raise where its answers differ or it cannot be run."""
    queries = [{"ends": (a, b), "edges": edges_around(graph, (a, b))} for a, b, _ in asked]
    given = json.dumps({"alpha": ALPHA, "best": BEST, "queries": queries})
    try:
        done = subprocess.run([python, "-P", "-c", PEER], input=given, capture_output=True, text=True)
    except OSError as error:
        raise InputError(f"{python} cannot be run ({error}): --peer-python names an interpreter") from error
    if done.returncode:
        raise InputError(f"networkx failed in {python}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    found = json.loads(done.stdout)
    for pair, answer in zip(asked, found["answers"], strict=True):
        _same(graph, pair, answer)
    for apart in ("near", "any"):
        chosen = [place for place, pair in enumerate(asked) if pair.apart == apart]
        theirs = float(np.median([found["seconds"][place] for place in chosen]))
        ours = float(np.median(query_seconds(graph, [asked[place] for place in chosen])))
        print(
            f"{len(chosen)} pairs ({apart}): ours {ours * 1e3:.2f} ms, networkx {found['version']} "
            f"{theirs * 1e3:.1f} ms on the edges around them alone: {theirs / ours:.0f}×, the answers equal"
        )


def _same(graph: ConceptGraph, pair: Pair, answer: Sequence[Answer | None]) -> None:
    evidence = graph.evidence(pair.a, pair.b, least=LEAST, alpha=ALPHA, best=BEST)
    kinds = (evidence.support, evidence.contradiction) if evidence else ((), ())
    for paths, theirs in zip(kinds, answer, strict=True):
        ours = Answer(path=list(paths[0].ids), total=sum(path.probability for path in paths)) if paths else None
        alike = (ours is None) == (theirs is None)
        if ours and theirs:
            alike = ours["path"] == theirs["path"] and math.isclose(ours["total"], theirs["total"], rel_tol=1e-9)
        if not alike:
            raise AssertionError(f"{pair}: {ours} and networkx's {theirs} differ: the speeds cannot be compared")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print seconds to build, memory at its peak, milliseconds of a query, and the ratio to networkx."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.concept_graph", description=main.__doc__)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--queries", type=int, default=500, help="pairs of each kind")
    parser.add_argument("--peer-queries", type=int, default=20, help="pairs of each kind that networkx answers too")
    parser.add_argument("--peer-python", type=Path, help="an interpreter that has networkx")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    vectors, _ = clustered(given.nodes, 1, given.dimensions, given.seed)
    ids = [f"C{n:07}" for n in range(given.nodes)]
    before = _peak()
    began = time.perf_counter()
    graph = ConceptGraph.build(ids, vectors)
    seconds = time.perf_counter() - began
    print(
        f"{given.nodes} concepts, {given.dimensions} dimensions, seed {given.seed}: built in {seconds:.1f} s, "
        f"{graph.edges} edges, peak {_peak():.2f} GB ({before:.2f} GB before building)"
    )
    asked = pairs(graph, ids, given.queries, given.seed)
    for apart in ("near", "any"):
        p50, p95 = np.quantile(query_seconds(graph, [pair for pair in asked if pair.apart == apart]), [0.5, 0.95])
        print(f"a query ({apart}): p50 {p50 * 1e3:.2f} ms, p95 {p95 * 1e3:.2f} ms")
    if given.peer_python is None:
        print("networkx was not run: --peer-python names an interpreter that has it")
        return
    compare(given.peer_python, graph, pairs(graph, ids, given.peer_queries, given.seed + 1))


def _peak() -> float:
    """Gigabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main()
