"""Pairs written by hand."""

import json
from pathlib import Path

from eval.training.written import divided, written

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
