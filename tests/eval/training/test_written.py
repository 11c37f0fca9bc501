"""Pairs written by hand."""

import json
from pathlib import Path

from eval.training.written import divided, of_abstracts, written

RECORD = {"t": "Passage one.", "s": ["a"], "c": ["b"], "n": ["c"], "y": ["d?"], "f": ["e?"], "u": ["f?"]}


def test_claims_and_questions_carry_what_the_passage_says_of_them(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(json.dumps(RECORD) + "\n", encoding="utf-8")
    found = {pair.claim: (pair.label, pair.asked) for pair in written(tmp_path)}
    assert found == {
        "a": ("supported", False),
        "b": ("contradicted", False),
        "c": ("neither", False),
        "d?": ("supported", True),
        "e?": ("contradicted", True),
        "f?": ("neither", True),
    }


def test_a_share_of_the_passages_is_kept_from_learning() -> None:
    learnt, kept = divided(written())
    assert not {pair.passage for pair in learnt} & {pair.passage for pair in kept}
    assert 0.1 < len(kept) / (len(learnt) + len(kept)) < 0.25


def test_a_passage_that_is_named_is_read_where_it_stands(tmp_path: Path) -> None:
    corpus, cited = tmp_path / "corpus.jsonl", tmp_path / "cited.jsonl"
    corpus.write_text(json.dumps({"doc_id": 7, "abstract": ["One.", " Two. ", "Three."]}) + "\n", encoding="utf-8")
    cited.write_text(json.dumps({"doc": 7, "first": 1, "last": 3, "s": ["a"], "u": ["b?"]}) + "\n", encoding="utf-8")
    found = of_abstracts(corpus, cited)
    assert [(pair.claim, pair.label, pair.passage) for pair in found] == [
        ("a", "supported", "Two. Three."),
        ("b?", "neither", "Two. Three."),
    ]
