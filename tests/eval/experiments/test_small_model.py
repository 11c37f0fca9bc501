"""The measurement of a model, over a scripted one: every way is asked, nothing twice, and the table counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.experiments.small_model import WAYS, main, read
from tests.emulators.models import good
from tests.emulators.openai import playing_model


@pytest.fixture
def _scripted(monkeypatch: pytest.MonkeyPatch, model_home: Path) -> object:
    with playing_model(good) as server:
        monkeypatch.setenv("MEDATTEST_HOME", str(model_home))
        monkeypatch.setenv("MEDATTEST_MODEL", "openai:emulated")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        yield server


@pytest.mark.usefixtures("_scripted")
def test_every_way_is_asked_once_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions, out = tmp_path / "questions.jsonl", tmp_path / "out.jsonl"
    asked = ["What are the features of Marfan syndrome?", "What is the capital of Peru?"]
    questions.write_text("".join(json.dumps({"Question": text}) + "\n" for text in asked), encoding="utf-8")
    # By this seed the first comes first; the other is out of scope and asks no model anything.
    arguments = ["--questions", str(questions), "--sources", "knowledge", "--n", "2", "--steps", "1", "--seed", "1"]
    arguments += ["--out", str(out)]
    main(arguments)
    lines = read(out)
    assert [line["way"] for line in lines] == ["rules", "rules", "model", "model", "queries", "document", "judge"]
    assert {line["outcome"] for line in lines} <= {"attested", "withheld"}
    by_model = next(line for line in lines if line["way"] == "model")
    for way in ("queries", "document"):
        without = next(line for line in lines if line["way"] == way and line["id"] == lines[4]["id"])
        whole = next(line for line in lines if line["way"] == "model" and line["id"] == lines[4]["id"])
        assert without["calls"] < whole["calls"]
    main(arguments)
    assert read(out) == lines, "nothing is asked twice"
    (tmp_path / "beside.txt").write_text(f"model {by_model['id']}\n", encoding="utf-8")
    capsys.readouterr()
    main(["--out", str(out), "--report", "--beside", str(tmp_path / "beside.txt")])
    table = capsys.readouterr().out
    assert all(name in table for name in WAYS.values())
    row = next(line for line in table.splitlines() if line.startswith("| with it"))
    assert row.split(" | ")[1] == "2"
    assert row.split(" | ")[3] == "1"
