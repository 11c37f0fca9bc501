from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import InputError
from eval.retrieval import RANKINGS, bioasq, documents_by_best_passage, measure, scifact, table


class Letters:
    """An embedder by letters: texts of like spelling are alike."""

    name = "letters"
    dimensions = 26
    max_tokens = 256
    calls = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        counts = [[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts]
        rows = np.array(counts, dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return []


def sentences(text: str, title: str) -> list[tuple[str, str]]:
    return [(piece, f"{title} {piece}") for piece in text.split(". ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus: list[dict[str, Any]] = [
        {"doc_id": 7, "title": "Aspirin", "abstract": ["Aspirin lowers fever.", "It thins blood."]},
        {"doc_id": 9, "title": "Zinc", "abstract": ["Zinc is a metal."]},
    ]
    claims = [
        {"claim": "Aspirin thins blood.", "evidence": {}, "cited_doc_ids": [7]},
        {"claim": "Zinc is metallic.", "evidence": {}, "cited_doc_ids": [9]},
    ]
    snippets = [{"pmid": str(d["doc_id"]), "text": " ".join(d["abstract"])} for d in corpus]
    questions = [{"question": "What thins blood?", "relevant_pmids": ["7"]}]
    files: dict[str, list[dict[str, Any]]] = {
        "scifact/corpus": corpus,
        "scifact/claims_train": claims,
        "bioasq/corpus": snippets,
        "bioasq/questions_7B-9B": questions,
    }
    for name, lines in files.items():
        file = tmp_path / f"{name}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return tmp_path


def test_every_ranking_is_measured_and_printed(folder: Path) -> None:
    figures = measure(scifact(folder / "scifact"), Letters(), sentences)
    assert tuple(figures) == RANKINGS
    assert figures["repository"] == {"ndcg@10": 1.0, "recall@5": 1.0}
    assert "| scifact | repository | 1.0000 | 1.0000 |" in list(table({"scifact": figures}))


def test_vectors_are_computed_once_where_there_is_a_cache(folder: Path, tmp_path: Path) -> None:
    embedder, benchmark = Letters(), bioasq(folder / "bioasq")
    first = measure(benchmark, embedder, sentences, tmp_path / "cache")
    calls = embedder.calls
    assert measure(benchmark, embedder, sentences, tmp_path / "cache") == first
    assert embedder.calls == calls


def test_a_sample_keeps_queries_with_their_documents(folder: Path) -> None:
    benchmark = scifact(folder / "scifact")
    drawn = benchmark.sample(1, seed=3)
    assert drawn.relevant[0] == benchmark.relevant[benchmark.queries.index(drawn.queries[0])]
    assert drawn.texts == benchmark.texts


def test_a_document_stands_where_its_best_passage_stands() -> None:
    scores = np.array([0.1, 0.9, 0.8, 0.7, 0.2], dtype=np.float32)
    owners = np.array([0, 1, 1, 1, 2])
    assert documents_by_best_passage(scores, owners, 1) == [1]
    assert documents_by_best_passage(scores, owners, 2) == [1, 2]
    assert documents_by_best_passage(scores, owners, 9) == [1, 2, 0]


def test_missing_data_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"corpus\.jsonl cannot be read"):
        scifact(tmp_path)
