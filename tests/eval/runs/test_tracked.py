"""Experiments in LangSmith: with dataset, runs and feedback where the settings trace, and no byte otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SourceError
from core.settings import Settings
from eval.runs.experiment import Experiment
from eval.runs.tracked import track
from tests.emulators.langsmith_evaluations import Evaluations, receiving_evaluations
from tests.eval.experiments_made import choice, experiment, line

PATIENT = "John Fitzgerald"


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Evaluations]:
    with receiving_evaluations() as receiver:
        for name, value in receiver.environment.items():
            monkeypatch.setenv(name, value)
        yield receiver


@pytest.fixture
def run(tmp_path: Path) -> Experiment:
    asked = f"My name is {PATIENT}, my phone number is 020 7946 0958. Which is it?"
    examples = [choice(0), choice(1).model_copy(update={"question": asked})]
    return experiment(tmp_path / "own", examples, {"halo": [line("A", 0.1), line("B", 0.9)]})


def test_a_traced_experiment_has_dataset_runs_and_feedback_without_identifiers(
    langsmith: Evaluations, run: Experiment
) -> None:
    (name,) = track(run, Settings(tracing=True))
    assert name.startswith("own halo")
    assert [e["name"] for e in langsmith.experiments] == [name]
    assert len(langsmith.examples) == 2
    assert "A" in str(langsmith.examples[0])
    sent = langsmith.wait_for('"key":"accuracy"')
    assert '"score":0.9' in langsmith.wait_for('"key":"risk"')
    assert PATIENT not in sent
    assert "7946 0958" not in sent


def test_what_is_there_is_not_sent_again(langsmith: Evaluations, run: Experiment) -> None:
    track(run, Settings(tracing=True))
    track(run, Settings(tracing=True))
    assert (len(langsmith.datasets), len(langsmith.examples), len(langsmith.experiments)) == (1, 2, 2)


def test_without_tracing_no_connection_is_tried(langsmith: Evaluations, run: Experiment) -> None:
    assert track(run, Settings()) == []
    assert langsmith.requests == []


def test_a_langsmith_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch, run: Experiment) -> None:
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("LANGSMITH_API_KEY", "test")
    with pytest.raises(SourceError, match="not sent to LangSmith"):
        track(run, Settings(tracing=True))
