from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from chains.select.duplicates import distinct_evidence
from chains.select.evidence import SelectInput, selector
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
    given = SelectInput(candidates, relevance, ("q",), "mmr" if diversify else "best")
    return [e.id for e in selector(vectors, encode, 4, 0.5).invoke(given).value]


def test_the_most_relevant_go_on_first_and_diversity_fills_the_rest() -> None:
    assert picked(diversify=True) == ["a", "b", "c", "e"]


def test_without_mmr_relevance_alone_counts() -> None:
    assert picked(diversify=False) == ["a", "b", "c", "d"]


def test_the_same_id_or_text_counts_once() -> None:
    found = [piece("a", "One  text"), piece("a", "other"), piece("b", "one text"), piece("c")]
    assert [e.id for e in distinct_evidence(found)] == ["a", "c"]


ABSTRACT = (
    "We enrolled ninety patients with asthma in a trial of the new inhaler. After twelve weeks lung function had risen "
    "by eight per cent in the group that used it, and by one per cent in the other group."
)


def test_one_work_under_two_ids_counts_once() -> None:
    found = [
        piece("pubmed:1").model_copy(update={"same_as": ("doi:10.1/x",)}),
        piece("other:9").model_copy(update={"same_as": ("doi:10.1/x",)}),
        piece("pubmed:2").model_copy(update={"same_as": ("doi:10.1/y",)}),
    ]
    assert [e.id for e in distinct_evidence(found)] == ["pubmed:1", "pubmed:2"]


def test_nearly_the_same_text_counts_once_and_keeps_what_is_said_of_either() -> None:
    one = piece("a:1", ABSTRACT)
    other = piece("b:1", ABSTRACT.replace("ninety", "90")).model_copy(update={"retracted": True, "certified": True})
    (kept,) = distinct_evidence([one, other])
    assert (kept.id, kept.retracted) == ("b:1", True)
    (kept,) = distinct_evidence([other.model_copy(update={"certified": False}), one])
    assert (kept.id, kept.retracted) == ("b:1", True)


def test_what_says_more_and_other_passages_of_one_document_stay() -> None:
    longer = piece("c:1", ABSTRACT + " ".join(f"Patient {n} said more on day {7 * n}." for n in range(20)))
    found = [piece("a:1#1", ABSTRACT), piece("a:1#2", ABSTRACT + " Again."), longer]
    assert [e.id for e in distinct_evidence(found)] == ["a:1#1", "a:1#2", "c:1"]


@pytest.mark.parametrize(("second", "kept"), [(0.6, ["a", "b", "pm"]), (0.4, ["a", "b", "c"])])
def test_a_source_with_a_relevant_piece_is_not_drowned(second: float, kept: list[str]) -> None:
    candidates = (*(piece(id_) for id_ in "abc"), piece("pm").model_copy(update={"source": "pubmed"}))
    relevance = {"a": 0.9, "b": 0.8, "c": 0.7, "pm": second}
    given = SelectInput(candidates, relevance, ("q",), "best")
    assert [e.id for e in selector(vectors, encode, 3, 0.5).invoke(given).value] == kept


def test_strength_weighs_relevance_where_it_is_given() -> None:
    given = SelectInput((piece("a"), piece("b")), {"a": 0.9, "b": 0.8}, ("q",), "best")
    weak_a = selector(vectors, encode, 1, 0.5, lambda e: 0.5 if e.id == "a" else 1.0)
    assert [e.id for e in weak_a.invoke(given).value] == ["b"]
