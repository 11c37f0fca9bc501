"""Experiments go on where they stopped, and do again what has changed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError, UsageError
from core.records import Record
from core.settings import Settings
from eval.datasets import Dataset, Example
from eval.runs.conduct import conduct
from eval.runs.local import Targets
from eval.runs.run import Job, jobs, run
from eval.runs.systems import System, systems


def dataset(*questions: str) -> Dataset:
    return Dataset("own", [Example(id=str(n), task="open", question=q) for n, q in enumerate(questions)], "CC0", "0")


def do(wanted: list[Job], folder: Path, seen: list[str], failing: str = "") -> dict[str, Record]:
    async def answer(job: Job) -> Record:
        seen.append(job.name)
        if job.name == failing:
            raise InputError("no")
        return {"text": job.example.question}

    folder.mkdir(exist_ok=True)
    return asyncio.run(run(wanted, folder, answer, 2, lambda: None))


def test_every_pair_is_answered_once_and_only_what_has_changed_again(tmp_path: Path) -> None:
    both, seen = [System(name="full"), System(name="rag", method="rag")], list[str]()
    lines = do(jobs(dataset("a?", "b?"), both), tmp_path, seen)
    assert set(lines) == {"full | 0", "full | 1", "rag | 0", "rag | 1"}
    do(jobs(dataset("a?", "b?"), both), tmp_path, seen)
    assert len(seen) == 4
    lines = do(jobs(dataset("a?", "c?"), both), tmp_path, seen)
    assert sorted(seen[4:]) == ["full | 1", "rag | 1"]
    assert lines["rag | 1"]["text"] == "c?"


def test_a_run_that_was_killed_in_a_line_goes_on_with_it(tmp_path: Path) -> None:
    wanted, seen = jobs(dataset("a?", "b?"), [System(name="full")]), list[str]()
    do(wanted, tmp_path, seen)
    file = tmp_path / "results.jsonl"
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert do(wanted, tmp_path, seen)["full | 1"]["text"] == "b?"
    assert seen == ["full | 0", "full | 1", "full | 1"]
    assert [json.loads(line)["example"] for line in file.read_text().splitlines()] == ["0", "1"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("examples.jsonl", '{"mine": 1}\n'),
        ("results.jsonl", '{"id": "a", "v": 1}\n{"id": "a", "v": 2}\n'),
        ("manifest.json", "[]"),
        ("manifest.json", "{"),
    ],
)
def test_a_folder_that_no_experiment_has_written_is_left_as_it_is(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    async def never(_: list[Job]) -> dict[str, Record]:
        raise AssertionError("nothing is to be asked")

    with pytest.raises(InputError, match=r"name (another|a folder)"):
        conduct(dataset("a?"), [System(name="full")], Settings(), 0, tmp_path, never)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(name, text)]


def test_an_experiment_on_another_set_is_not_written_over(tmp_path: Path) -> None:
    async def answered(wanted: list[Job]) -> dict[str, Record]:
        return {job.name: {"text": job.example.question} for job in wanted}

    conduct(dataset("a?"), [System(name="full")], Settings(), 0, tmp_path, answered)
    conduct(dataset("a?", "b?"), [System(name="full")], Settings(), 0, tmp_path, answered)
    before = (tmp_path / "examples.jsonl").read_text()
    with pytest.raises(InputError, match="holds an experiment on own: name another --out"):
        conduct(replace(dataset("c?"), name="theirs"), [System(name="full")], Settings(), 0, tmp_path, answered)
    assert (tmp_path / "examples.jsonl").read_text() == before


def test_a_failure_is_a_line_and_keeps_nobody_from_theirs(tmp_path: Path) -> None:
    lines = do(jobs(dataset("a?", "b?"), [System(name="full")]), tmp_path, [], failing="full | 0")
    assert lines["full | 0"]["error"] == {"type": "InputError", "message": "no"}
    assert lines["full | 1"]["text"] == "b?"


def test_methods_models_and_parts_left_out_are_systems_of_their_own() -> None:
    made = systems(["halo", "full"], ["mmr", "mmr,loop"], ["none", "openai:m"])
    assert [s.name for s in made][:4] == [
        "halo · none",
        "halo − mmr · none",
        "halo − mmr − loop · none",
        "halo · openai:m",
    ]
    assert made[0].overrides == {"model": None}
    with pytest.raises(UsageError, match="--method"):
        systems(["magic"])
    with pytest.raises(UsageError, match="named twice"):
        jobs(dataset("a?"), systems(["full", "full"]))


def test_a_system_rests_on_what_is_configured_and_on_its_bank(tmp_path: Path) -> None:
    bank = tmp_path / "bank.jsonl"
    bank.write_text("one")
    system = System(name="full", bank=str(bank))
    first = system.resting(Settings())
    assert first == system.resting(Settings(threads=1, home=tmp_path, model_timeout=5))
    assert first != system.resting(Settings(model="openai:m"))
    bank.write_text("two")
    assert first != system.resting(Settings())


def test_a_worker_that_is_configured_otherwise_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(name="full").resting(Settings())
    monkeypatch.setenv("MEDATTEST_ROUNDS", "3")
    with pytest.raises(UsageError, match="configured otherwise"):
        Targets(lambda message: None).of(system)
