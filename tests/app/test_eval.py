"""Experiments through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Medattest

RECORDS = (
    {
        "id": "treated",
        "question": "How is zorblax fever treated?",
        "context": "Zorblax fever is treated with glimepride tea.",
        "reference": "It is treated with glimepride tea.",
    },
    {
        "id": "stored",
        "question": "What does aspirin do?",
        "answer": "Aspirin raises the risk of stroke.",
        "context": "Aspirin lowers the risk of stroke.",
        "hallucinated": True,
    },
    {
        "id": "faithful",
        "question": "What does aspirin do?",
        "answer": "Aspirin lowers the risk of stroke.",
        "context": "Aspirin lowers the risk of stroke.",
        "hallucinated": False,
    },
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return file


def test_an_experiment_is_run_and_can_be_repeated(medattest: Medattest, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "experiment"
    ran = medattest("eval", "run", own, "--out", out, "--without", "expansion")
    assert ran.status == 0, ran.err
    lines = {line["id"]: line for line in map(json.loads, (out / "results.jsonl").read_text().splitlines())}
    assert "glimepride tea" in lines["full | treated"]["text"]
    assert lines["full − expansion | stored"]["risk"] > lines["full − expansion | faithful"]["risk"]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["dataset"]["examples"] == 3
    assert len(manifest["commit"]) >= 7
    again = medattest("eval", "run", own, "--out", out, "--without", "expansion")
    assert again.status == 0
    assert (out / "results.jsonl").read_text().count("\n") == 6
