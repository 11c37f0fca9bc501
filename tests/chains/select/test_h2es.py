from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.select.h2es import Vector, h2es
from chains.select.mmr import Matrix

seeds = st.integers(0, 10_000)
lambdas = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])


def vectors(seed: int, n: int, d: int = 6) -> Matrix:
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def cosine(a: Vector, b: Vector) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def slow_reference(
    query: Vector, instances: Matrix, pool: int, count: int, lambda_: float, scaled: bool
) -> list[tuple[int, float]]:
    similarity = {i: cosine(query, instance) for i, instance in enumerate(instances)}
    rest = sorted(similarity, key=lambda i: -similarity[i])[:pool]
    queue = [(rest[0], lambda_ * similarity[rest.pop(0)])]
    while rest and len(queue) < count:
        last = instances[queue[-1][0]]
        manhattan = {i: sum(abs(float(a) - float(b)) for a, b in zip(instances[i], last, strict=True)) for i in rest}
        largest = max(manhattan.values()) if scaled else 1.0
        scores = {i: (1 - lambda_) * manhattan[i] / largest + lambda_ * similarity[i] for i in rest}
        best = max(rest, key=lambda i: scores[i])
        queue.append((best, scores[best]))
        rest.remove(best)
    return sorted(queue, key=lambda chosen: -chosen[1])


@given(seeds, st.integers(1, 25), st.integers(1, 30), st.integers(1, 8), lambdas, st.booleans())
def test_equals_the_algorithm_spelled_out(
    seed: int, n: int, pool: int, count: int, lambda_: float, scaled: bool
) -> None:
    instances, query = vectors(seed, n), vectors(seed + 1, 1)[0]
    found = h2es(query, instances, pool, count, lambda_, scaled)
    expected = slow_reference(query, instances, pool, count, lambda_, scaled)
    np.testing.assert_allclose([score for _, score in found], [score for _, score in expected], atol=1e-4)
    if lambda_:  # without relevance the first scores 0, and several may
        assert [place for place, _ in found] == [place for place, _ in expected]


@given(seeds, st.integers(1, 60), st.integers(1, 20), st.integers(0, 6), lambdas, st.booleans())
def test_chooses_different_ones_of_the_pool_by_falling_score(
    seed: int, n: int, pool: int, count: int, lambda_: float, scaled: bool
) -> None:
    instances, query = vectors(seed, n), vectors(seed + 1, 1)[0]
    found = h2es(query, instances, pool, count, lambda_, scaled)
    places, scores = [place for place, _ in found], [score for _, score in found]
    ranked = sorted(range(n), key=lambda i: -cosine(query, instances[i]))
    assert len(set(places)) == len(places) == min(count, pool, n)
    assert set(places) <= set(ranked[:pool])
    assert not count or ranked[0] in places
    assert scores == sorted(scores, reverse=True)


@given(seeds, st.integers(1, 40), lambdas)
def test_unit_rows_need_no_second_pass(seed: int, n: int, lambda_: float) -> None:
    instances, query = vectors(seed, n), vectors(seed + 1, 1)[0]
    instances /= np.linalg.norm(instances, axis=1, keepdims=True)
    found, spared = h2es(query, instances, lambda_=lambda_), h2es(query, instances, lambda_=lambda_, unit=True)
    np.testing.assert_allclose([s for _, s in found], [s for _, s in spared], atol=1e-5)


@given(seeds, st.integers(1, 40), st.integers(1, 6))
def test_relevance_alone_gives_the_most_similar_in_order(seed: int, n: int, count: int) -> None:
    instances, query = vectors(seed, n), vectors(seed + 1, 1)[0]
    ranked = sorted(range(n), key=lambda i: -cosine(query, instances[i]))
    assert [place for place, _ in h2es(query, instances, count=count, lambda_=1.0)] == ranked[: min(count, 20)]


def test_the_formula_by_hand() -> None:
    instances = np.array([[0.6, 0.8], [1, 0], [0, 1], [-1, 0]], np.float32)
    # Pool: 1 (cosine 1), 0 (0.6), 2 (0). Manhattan distances from 1: 0.4 + 0.8 = 1.2, and 2.
    found = h2es(np.array([2, 0], np.float32), instances, pool=3, count=2, lambda_=0.2, scaled=False)
    assert [place for place, _ in found] == [2, 1]
    assert [score for _, score in found] == pytest.approx([0.8 * 2 + 0.2 * 0, 0.2 * 1])
    found = h2es(np.array([2, 0], np.float32), instances, pool=3, count=2, lambda_=0.8)
    assert [place for place, _ in found] == [1, 0]
    assert [score for _, score in found] == pytest.approx([0.8 * 1, 0.2 * 1.2 / 2 + 0.8 * 0.6])


def test_the_distance_is_to_the_last_one_chosen_not_to_all() -> None:
    instances = np.array([[1, 0], [0.99, 0.1], [0, 1]], np.float32)
    found = h2es(np.array([1, 0], np.float32), instances, count=3, lambda_=0.0, scaled=False)
    assert dict(found)[2] == pytest.approx(2.0)
    assert dict(found)[1] == pytest.approx(0.99 + 0.9), "its distance to the third, not to the first"


def test_equal_instances_stay_in_their_order() -> None:
    same = np.ones((4, 3), np.float32)
    assert [place for place, _ in h2es(same[0], same, count=4)] == [0, 1, 2, 3]


def test_zeros_are_similar_to_nothing() -> None:
    instances = np.array([[0, 0], [-1, 0], [1, 0]], np.float32)
    query = np.array([1, 0], np.float32)
    assert [place for place, _ in h2es(query, instances, lambda_=1.0)] == [2, 0, 1]
    assert len(h2es(np.zeros(2, np.float32), instances)) == 3


def test_nothing_to_choose_from_or_to_choose() -> None:
    assert h2es(np.ones(3, np.float32), np.empty((0, 3), np.float32)) == []
    assert h2es(np.ones(3, np.float32), np.ones((2, 3), np.float32), count=0) == []


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [((1, 3), {}), ((4,), {}), ((3,), {"lambda_": 1.5}), ((3,), {"lambda_": -0.1}), ((3,), {"pool": 0})],
)
def test_wrong_input_is_named(shape: tuple[int, ...], wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        h2es(np.ones(shape, np.float32), np.ones((2, 3), np.float32), **wrong)  # type: ignore[arg-type]


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        h2es(np.array([1, np.nan], np.float32), np.ones((2, 2), np.float32))
