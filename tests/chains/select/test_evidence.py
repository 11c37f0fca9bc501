from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chains.select.evidence import SelectInput, distinct_evidence, selector
from chains.select.mmr import Matrix
from core.schema import Evidence

VECTORS = {"a": [1, 0, 0], "b": [1, 0.01, 0], "c": [0.9, 0, 0.1], "d": [1, 0.02, 0], "e": [0.7, 0, 0.7]}


def piece(id_: str, text: str | None = None) -> Evidence:
    return Evidence(id=id_, text=text or f"text of {id_}", source="given")


def vectors(evidence: Sequence[Evidence]) -> Matrix:
    return np.array([VECTORS[e.id] for e in evidence], np.float32)


def encode(texts: Sequence[str]) -> Matrix:
    return np.array([[0.9, 0, 0.4] for _ in texts], np.float32)


def picked(diversify: bool) -> list[str]:
    candidates = tuple(piece(id_) for id_ in "edcba")
    relevance = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "e": 0.1}
    given = SelectInput(candidates, relevance, ("q",), diversify)
    return [e.id for e in selector(vectors, encode, 4, 0.5).invoke(given).value]


def test_the_most_relevant_go_on_first_and_diversity_fills_the_rest() -> None:
    assert picked(diversify=True) == ["a", "b", "c", "e"]


def test_without_mmr_relevance_alone_counts() -> None:
    assert picked(diversify=False) == ["a", "b", "c", "d"]


def test_the_same_id_or_text_counts_once() -> None:
    found = [piece("a", "One  text"), piece("a", "other"), piece("b", "one text"), piece("c")]
    assert [e.id for e in distinct_evidence(found)] == ["a", "c"]
