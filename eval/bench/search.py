"""Exact search against Chroma's HNSW graph: time of a question, recall@10 of the graph, by size of a collection.

A question is four queries at once: itself and three phrasings of it.

Vectors are synthetic: unit vectors in clusters, as embeddings of texts are; queries are near some of them. Where exact
search stops being as fast as the graph is what ``tools.repository.search.EXACT_PASSAGES`` stands for.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.lexical import best
from tools.repository.store import Store

Floats = NDArray[np.float32]

K = 10
TOGETHER = 4
CLUSTER = 50
NOISE = 0.7
COLLECTION = "bench"


def clustered(count: int, queries: int, dimensions: int, seed: int) -> tuple[Floats, Floats]:
    """Unit vectors (count by dimensions) in clusters of about 50, and as many query vectors as asked near some."""
    random = np.random.default_rng(seed)
    centres = _unit(random.normal(size=(max(1, count // CLUSTER), dimensions)))
    points = _unit(centres[random.integers(len(centres), size=count)] + _noise(random, count, dimensions))
    asked = points[random.choice(count, queries, replace=False)]
    return points, _unit(asked + _noise(random, queries, dimensions))


def measure(size: int, queries: int, dimensions: int, seed: int, folder: Path) -> tuple[float, float, float, float]:
    """Seconds of writing a passage, median seconds of an exact search and of one of the graph, and its recall."""
    points, asked = clustered(size, queries, dimensions, seed)
    store = Store(folder, None)
    store.create(COLLECTION, {})
    started = time.perf_counter()
    for start in range(0, size, 512):
        ids = [f"passage#{n}" for n in range(start, min(size, start + 512))]
        store.upsert(COLLECTION, ids, points[start : start + 512], [{"n": n} for n in range(len(ids))])
    writing = (time.perf_counter() - started) / size
    exact, exact_seconds = _timed(lambda q: [[f"passage#{n}" for n in best(row, K)] for row in (points @ q.T).T], asked)
    graph, graph_seconds = _timed(lambda q: store.nearest(COLLECTION, q, K), asked)
    store.close()
    recall = float(np.mean([len(set(e) & set(g)) / K for e, g in zip(exact, graph, strict=True)]))
    return writing, exact_seconds, graph_seconds, recall


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 20_000, 50_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    print(f"{'passages':>9} {'written':>11} {'exact':>9} {'HNSW':>9} {'recall@10':>10}")
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            writing, exact, graph, recall = measure(size, given.queries, given.dimensions, given.seed, Path(folder))
        print(f"{size:>9,} {1 / writing:>9,.0f}/s {1e3 * exact:>6.2f} ms {1e3 * graph:>6.2f} ms {recall:>10.3f}")


def _timed(search: Callable[[Floats], Sequence[list[str]]], asked: Floats) -> tuple[list[list[str]], float]:
    search(asked[:TOGETHER])
    found: list[list[str]] = []
    seconds: list[float] = []
    for start in range(0, len(asked), TOGETHER):
        started = time.perf_counter()
        found.extend(search(asked[start : start + TOGETHER]))
        seconds.append(time.perf_counter() - started)
    return found, float(np.median(seconds))


def _unit(vectors: NDArray[np.float64] | Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _noise(random: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float64]:
    """Noise whose norm is about ``NOISE`` times that of a unit vector."""
    return random.normal(scale=NOISE / np.sqrt(dimensions), size=(count, dimensions))


if __name__ == "__main__":
    main()
