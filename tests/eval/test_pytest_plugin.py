"""A marked test runs once an example, asks nothing twice, and leaves an experiment that can be reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from eval.runs.experiment import read
from tests.emulators.langsmith_evaluations import receiving_evaluations

TEST = """
import pytest

@pytest.mark.medattest("own.jsonl", limit=2)
def test_it_names_tea(answered):
    answered.log_feedback("words", len(answered.case.text.split()))
    assert "tea" in answered.case.text
"""


def pytest_in(folder: Path, home: Path, **environment: str) -> str:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "eval.pytest_plugin",
        "-p",
        "no:cacheprovider",
        "-q",
        "test_own.py",
    ]
    own = {**os.environ, "MEDATTEST_HOME": str(home), **environment}
    ran = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=240)
    return ran.stdout + ran.stderr


def test_a_marked_test_is_an_experiment(tmp_path: Path, model_home: Path) -> None:
    (tmp_path / "test_own.py").write_text(TEST)
    records = [
        {"id": drink, "question": "How is zorblax fever treated?", "context": f"Zorblax fever is treated with {drink}."}
        for drink in ("tea", "rest")
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    said = pytest_in(tmp_path, model_home)
    assert "1 failed, 1 passed" in said
    assert "test_it_names_tea[rest]" in said
    assert "pass 0.500 (2)" in said
    folder = tmp_path / ".medattest-experiments" / "test_own.py-test_it_names_tea"
    assert [case.example.id for case in read(folder).systems["full"]] == ["tea", "rest"]
    before = (folder / "results.jsonl").read_text()
    with receiving_evaluations() as langsmith:
        assert "1 failed, 1 passed" in pytest_in(
            tmp_path, model_home, MEDATTEST_TRACING="true", **langsmith.environment
        )
        assert '"key":"pass"' in langsmith.wait_for('"key":"words"')
        assert len(langsmith.examples) == 2
    assert (folder / "results.jsonl").read_text() == before
