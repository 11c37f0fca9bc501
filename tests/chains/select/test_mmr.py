from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from chains.select.mmr import Matrix, multi_query_mmr


def vectors(seed: int, n: int, d: int = 8) -> Matrix:
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def cosine(a: Matrix, b: Matrix) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def slow_scores(candidates: Matrix, queries: Matrix, picked: list[int], lambda_: float) -> dict[int, float]:
    """The equation for everything that is not picked yet."""
    return {
        i: lambda_ * sum(cosine(d, q) for q in queries) / len(queries)
        - (1 - lambda_) * max((cosine(d, candidates[j]) for j in picked), default=0.0)
        for i, d in enumerate(candidates)
        if i not in picked
    }


@given(st.integers(0, 10_000), st.integers(1, 25), st.integers(1, 4), st.integers(1, 30), st.sampled_from([0, 0.3, 1]))
def test_every_pick_maximises_the_equation_spelled_out(seed: int, n: int, m: int, k: int, lambda_: float) -> None:
    candidates, queries = vectors(seed, n), vectors(seed + 1, m)
    picks = multi_query_mmr(candidates, queries, k, lambda_)
    assert len(picks) == len(set(picks)) == min(k, n)
    for place, pick in enumerate(picks):
        scores = slow_scores(candidates, queries, picks[:place], lambda_)
        assert scores[pick] >= max(scores.values()) - 1e-5  # candidates whose scores differ by rounding alone are equal


@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 10))
def test_one_query_picks_what_langchain_picks(seed: int, n: int, k: int) -> None:
    candidates, query = vectors(seed, n, 32), vectors(seed + 1, 1, 32)
    theirs = maximal_marginal_relevance(query[0], list(candidates), lambda_mult=0.5, k=k)
    assert multi_query_mmr(candidates, query, k) == theirs


def test_ties_go_to_the_earlier_candidate() -> None:
    same = np.ones((4, 3), np.float32)
    assert multi_query_mmr(same, same[:1], 4) == [0, 1, 2, 3]


def test_what_is_chosen_already_comes_first_and_pushes_its_like_back() -> None:
    candidates = np.array([[1, 0, 0], [1, 0.01, 0], [0.6, 0, 0.8]], np.float32)
    query = np.array([[0.8, 0, 0.6]], np.float32)
    assert multi_query_mmr(candidates, query, 2, 0.5, chosen=[0]) == [0, 2]


def test_a_row_of_zeros_is_similar_to_nothing() -> None:
    candidates = np.array([[0, 0], [1, 0]], np.float32)
    assert multi_query_mmr(candidates, np.array([[1, 0]], np.float32), 2) == [1, 0]


@pytest.mark.parametrize(("shape", "lambda_"), [((0, 3), 0.5), ((1, 4), 0.5), ((1, 3), 1.5)])
def test_wrong_input_is_named(shape: tuple[int, int], lambda_: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        multi_query_mmr(np.ones((2, 3), np.float32), np.ones(shape, np.float32), 1, lambda_)


def test_no_candidates_no_picks() -> None:
    assert multi_query_mmr(np.empty((0, 3), np.float32), np.ones((1, 3), np.float32), 5) == []
