from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.experiments import verdicts
from eval.training.scifact import kept_out


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two claims of SciFact's form, of which one is kept out, and a pair of HealthVer's."""
    kept, learnt = (next(n for n in range(1, 100) if kept_out(n) is wanted) for wanted in (True, False))
    abstract = {"doc_id": 7, "title": "Tea", "abstract": ["Tea was given. ", "Tea cured the fever."]}
    found = {"7": [{"sentences": [1], "label": "SUPPORT"}]}
    claims = [{"id": n, "claim": "Tea cures fever.", "cited_doc_ids": [7], "evidence": found} for n in (kept, learnt)]
    for name, rows in (("corpus", [abstract]), ("claims_train", claims)):
        path = tmp_path / "scifact" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "healthver").mkdir()
    (tmp_path / "healthver" / "healthver_dev.csv").write_text(
        "id,evidence,claim,label\n1,Masks were worn.,Masks work.,Neutral\n", encoding="utf-8"
    )
    return tmp_path


def test_a_claim_is_held_against_its_abstract_whole_and_in_sentences(data: Path) -> None:
    sets = verdicts.held(data)
    assert sets["scifact, one text"] == [
        verdicts.Held("Tea cures fever.", ("Tea was given. Tea cured the fever.",), "supported")
    ]
    assert sets["scifact, sentences"] == [
        verdicts.Held("Tea cures fever.", ("Tea was given.", "Tea cured the fever."), "supported")
    ]
    assert sets["healthver"] == [verdicts.Held("Masks work.", ("Masks were worn.",), "unverifiable")]
