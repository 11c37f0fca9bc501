from __future__ import annotations

import json
import logging
import time
from pathlib import Path

import pytest

from core.model.ladder import FILE, PATIENCE, RUNGS, TRUST_SECONDS, Ladder, Rung

KEY = "openai:small http://127.0.0.1:11434/v1"


def test_what_worked_is_remembered_by_other_processes_and_only_for_that_model(tmp_path: Path) -> None:
    Ladder(tmp_path, KEY).worked("json_mode", repaired=False)
    Ladder(tmp_path, "openai:other").worked("text", repaired=False)
    assert list(Ladder(tmp_path, KEY).to_try()) == ["json_mode"]
    assert list(Ladder(tmp_path, "openai:new").to_try()) == list(RUNGS)
    kept = json.loads((tmp_path / FILE).read_text())
    assert {key: known[0] for key, known in kept.items()} == {KEY: "json_mode", "openai:other": "text"}


@pytest.mark.parametrize(("rung", "tried"), [("json_mode", list(RUNGS)), ("json_schema", ["json_schema"])])
def test_a_lower_rung_is_kept_to_for_a_while_only(
    rung: Rung, tried: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = Ladder(tmp_path, KEY)
    standing.worked(rung, repaired=False)
    now = time.time()
    monkeypatch.setattr("core.model.ladder.time.time", lambda: now + TRUST_SECONDS + 1)
    assert list(standing.to_try()) == tried
    assert list(Ladder(tmp_path, KEY).to_try()) == tried


def test_a_refused_rung_is_not_tried_again(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, KEY)
    ladder.refused("json_schema")
    assert list(ladder.to_try()) == ["function_calling", "json_mode", "text"]


def test_a_server_that_refuses_every_rung_is_asked_from_the_top_next_time(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, KEY)
    for rung in RUNGS:
        ladder.refused(rung)
    assert list(ladder.to_try()) == list(RUNGS)


def test_a_known_rung_that_is_refused_makes_way_for_the_others_at_once(tmp_path: Path) -> None:
    Ladder(tmp_path, KEY).worked("json_schema", repaired=False)
    ladder = Ladder(tmp_path, KEY)
    tried = []
    for rung in ladder.to_try():
        tried.append(rung)
        ladder.refused(rung)
    assert tried == list(RUNGS)


def test_a_known_rung_survives_a_bad_reply_but_not_many(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, KEY)
    ladder.worked("json_schema", repaired=False)
    for _ in range(PATIENCE - 1):
        ladder.failed("json_schema")
    assert list(ladder.to_try()) == ["json_schema"]
    ladder.failed("json_schema")
    assert list(ladder.to_try()) == list(RUNGS)


def test_a_rung_that_always_needs_a_repair_gives_way_to_the_next(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, KEY)
    for _ in range(PATIENCE):
        ladder.worked("json_schema", repaired=True)
    assert list(ladder.to_try()) == ["function_calling", "json_mode", "text"]


@pytest.mark.parametrize("content", ["{", "[]", f'{{"{KEY}": "telepathy"}}', "\x00"])
def test_a_damaged_memory_is_no_memory(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    ladder = Ladder(tmp_path, KEY)
    assert list(ladder.to_try()) == list(RUNGS)
    ladder.worked("text", repaired=False)
    assert list(Ladder(tmp_path, KEY).to_try()) == ["text"]


def test_a_memory_that_cannot_be_written_is_said_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    with caplog.at_level(logging.WARNING):
        ladder = Ladder(tmp_path / "file", KEY)
        ladder.worked("text", repaired=False)
    assert list(ladder.to_try()) == ["text"]
    assert "cannot be written" in caplog.text
