from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chains.plan import Selection
from chains.select.duplicates import distinct_evidence
from chains.select.evidence import SelectInput, by_sources, selector
from chains.select.mmr import Matrix
from core.schema import Evidence

VECTORS = {
    "a": [1, 0, 0],
    "b": [1, 0.01, 0],
    "c": [0.9, 0, 0.1],
    "d": [1, 0.02, 0],
    "e": [0.7, 0, 0.7],
    "f": [1, 0.03, 0],
}


def piece(id_: str, text: str | None = None) -> Evidence:
    return Evidence(id=id_, text=text or f"text of {id_}", source="given")


def vectors(evidence: Sequence[Evidence]) -> Matrix:
    return np.array([VECTORS[e.id] for e in evidence], np.float32)


def encode(texts: Sequence[str]) -> Matrix:
    return np.array([[0.9, 0, 0.4] for _ in texts], np.float32)


def picked(diversify: bool) -> list[str]:
    relevance = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "e": 0.1, "f": 0.2}
    candidates = tuple(piece(id_).model_copy(update={"score": relevance[id_]}) for id_ in "fedcba")
    given = SelectInput(candidates, relevance, ("q",), "mmr" if diversify else "best")
    return [e.id for e in selector(vectors, encode, 5, 0.5).invoke(given).value]


def test_the_most_relevant_go_on_first_and_diversity_fills_the_rest() -> None:
    assert picked(diversify=True) == ["a", "b", "c", "d", "e"]


def test_without_mmr_the_ranking_alone_counts() -> None:
    assert picked(diversify=False) == ["a", "b", "c", "d", "f"]


def test_the_likeliest_goes_on_however_low_its_source_ranks_it() -> None:
    ids = [f"p{n}" for n in range(60)]
    candidates = tuple(piece(id_).model_copy(update={"score": 1.0 - n / 100}) for n, id_ in enumerate(ids))
    relevance = {id_: 0.6 for id_ in ids} | {"p59": 0.95}
    alike = selector(lambda found: np.ones((len(found), 3), np.float32), encode, 5, 0.5)
    assert "p59" in [e.id for e in alike.invoke(SelectInput(candidates, relevance, ("q",))).value]


def ranked(how: Selection, **fields: Any) -> list[str]:
    """Pieces whose source ranks a first and whose relevance ranks c first."""
    scores, relevance = {"a": 0.9, "b": 0.8, "c": 0.7}, {"a": 0.2, "b": 0.1, "c": 0.9}
    candidates = tuple(piece(id_).model_copy(update={"score": score}) for id_, score in scores.items())
    given = SelectInput(candidates, relevance, ("q",), how, **fields)
    return [e.id for e in selector(vectors, encode, 3, 0.5).invoke(given).value]


def test_the_papers_systems_go_by_the_sources_and_the_full_one_by_relevance_too() -> None:
    assert ranked("best", weighed=False) == ["a", "b", "c"]
    assert ranked("best", weighed=True)[-1] == "b"


def test_sources_take_turns_where_nothing_is_weighed() -> None:
    pieces = [
        piece(id_).model_copy(update={"source": id_[0], "score": 1.0 / int(id_[1])}) for id_ in ("x1", "x2", "y1")
    ]
    assert [e.id for e in by_sources(pieces)] == ["x1", "y1", "x2"]


def test_certified_texts_are_reranked_and_come_from_different_documents() -> None:
    ids = ["repository:c/one#0", "repository:c/one#1", "repository:c/two#0", "repository:c/three#0"]
    found = tuple(piece(id_).model_copy(update={"score": n}) for n, id_ in enumerate(ids))
    given = SelectInput(found, {}, ("q",), "documents", rerank=False)
    chosen = [e.id for e in selector(vectors, encode, 8, 0.5).invoke(given).value]
    assert chosen == [ids[0], ids[2], ids[3]]
    fused = [e.id for e in selector(vectors, encode, 8, 0.5).invoke(given._replace(rerank=True)).value]
    assert fused == [ids[3], ids[2], ids[1]]


def test_a_cross_encoder_reads_the_hypothetical_document() -> None:
    def rescore(query: str, texts: Sequence[str]) -> list[float]:
        return [float(query in text) for text in texts]

    found = (piece("a"), piece("b", "the wanted text"), piece("c"))
    given = SelectInput(found, {}, ("q",), "best", weighed=False, rerank=True, document="wanted")
    assert selector(vectors, encode, 1, 0.5, rescore=rescore).invoke(given).value[0].id == "b"


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


def test_a_source_with_a_relevant_piece_is_not_drowned() -> None:
    candidates = (*(piece(id_) for id_ in "abc"), piece("pm").model_copy(update={"source": "pubmed"}))
    relevance = {"a": 0.9, "b": 0.8, "c": 0.7, "pm": 0.6}
    given = SelectInput(candidates, relevance, ("q",), "best")
    assert [e.id for e in selector(vectors, encode, 3, 0.5).invoke(given).value] == ["a", "b", "pm"]


def test_strength_weighs_relevance_where_it_is_given() -> None:
    given = SelectInput((piece("a"), piece("b")), {"a": 0.9, "b": 0.8}, ("q",), "best")
    weak_a = selector(vectors, encode, 1, 0.5, lambda e: 0.5 if e.id == "a" else 1.0)
    assert [e.id for e in weak_a.invoke(given).value] == ["b"]
