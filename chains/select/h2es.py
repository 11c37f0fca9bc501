"""H2ES: exemplars that are like the query and unlike each other (IMKDG, algorithm 1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chains.select.mmr import Matrix

Vector = NDArray[np.float32]


def h2es(
    query: Vector,
    instances: Matrix,
    pool: int = 20,
    count: int = 3,
    lambda_: float = 0.2,
    scaled: bool = True,
    unit: bool = False,
) -> list[tuple[int, float]]:
    """Choose ``count`` of the ``pool`` instances that are most similar to the query.

    The queue starts with the most similar one. Then, again and again, the best of the rest of the pool joins it, by
    ``F = (1 − λ) · S(E_i, E_last) + λ · Sim(q, E_i)``: Sim is the cosine, S the Manhattan distance to the queue's last
    element. S dwarfs a cosine (about 15 between unit vectors of 384 dimensions), so it is divided by its maximum over
    the rest of the pool, as the paper's code does. For the first element no last one exists: its S is 0, its F is
    ``λ · Sim``.

    Args:
        query: d numbers, encoded like the instances.
        instances: n × d embeddings.
        pool: the paper's L.
        count: the paper's l; fewer come back where the pool or the bank is smaller.
        lambda_: relevance against diversity, in [0, 1]; 1 looks at relevance alone.
        scaled: whether S is divided by its maximum; False is the paper's letter.
        unit: whether every row is known to have length 1, which spares a pass over the matrix.

    Returns:
        Places in ``instances`` with their F, by falling F: the order in which they go into the prompt. Ties go to what
        is more similar to the query, then to the earlier instance.

    Raises:
        ValueError: where shapes do not fit, a number is not finite, or λ, pool or count is out of its bounds.
    """
    _check(query, instances, pool, count, lambda_)
    if not len(instances) or not count:
        return []
    similarity = _cosines(query, instances, unit)
    places = _most_similar(similarity, pool)
    relevance, embeddings = lambda_ * similarity[places], instances[places]
    queue = [(0, float(relevance[0]))]
    rest = np.arange(1, len(places))
    while len(queue) < count and len(rest):
        distance = np.abs(embeddings[rest] - embeddings[queue[-1][0]]).sum(axis=1)
        if scaled:
            distance /= distance.max() or 1.0
        score = (1.0 - lambda_) * distance + relevance[rest]
        best = int(np.argmax(score))
        queue.append((int(rest[best]), float(score[best])))
        rest = np.delete(rest, best)
    return [(int(places[i]), score) for i, score in sorted(queue, key=lambda chosen: (-chosen[1], chosen[0]))]


def _check(query: Vector, instances: Matrix, pool: int, count: int, lambda_: float) -> None:
    if query.ndim != 1 or instances.ndim != 2 or instances.shape[1] != len(query):
        raise ValueError(f"query {query.shape} and instances {instances.shape} must be d and n × d")
    if not 0.0 <= lambda_ <= 1.0:
        raise ValueError(f"λ is {lambda_}, it must be within [0, 1]")
    if pool < 1 or count < 0:
        raise ValueError(f"pool is {pool} and count {count}: they must be at least 1 and 0")


def _cosines(query: Vector, instances: Matrix, unit: bool) -> Vector:
    """Similarity of every instance to the query; zeros are similar to nothing."""
    cosines: Vector = instances @ (query / (np.linalg.norm(query) or 1.0))
    if not unit:
        lengths = np.sqrt(np.vecdot(instances, instances))
        lengths[lengths == 0.0] = 1.0
        cosines /= lengths
    if not np.isfinite(cosines).all():
        raise ValueError("query and instances must be of finite numbers")
    return cosines


def _most_similar(similarity: Vector, pool: int) -> NDArray[np.intp]:
    """Places of the ``pool`` largest, largest first, ties by place, without sorting them all."""
    if pool < len(similarity):
        least = np.partition(similarity, -pool)[-pool]
        places = np.flatnonzero(similarity >= least)
    else:
        places = np.arange(len(similarity))
    return places[np.argsort(-similarity[places], kind="stable")][:pool]
