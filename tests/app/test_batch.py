from __future__ import annotations

import asyncio
import fcntl
import json
from pathlib import Path

import pytest

from app.batch import Record, run_batch
from app.exits import Exit
from core.errors import InputError, StoreBusy, StoreError


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(source: Path, out: Path, seen: list[str] | None = None) -> Exit:
    async def double(record: Record) -> Record:
        if seen is not None:
            seen.append(record["id"])
        if record["n"] == 0:
            raise InputError("n is zero")
        return {"twice": record["n"] * 2}

    return asyncio.run(run_batch(source, out, double, lambda r: str(r["id"]), at_once=2))


def test_every_record_gets_a_line_and_a_second_run_does_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", *({"id": f"q{n}", "n": n} for n in range(1, 8)))
    out, seen = tmp_path / "out.jsonl", list[str]()
    assert run(source, out, seen) == Exit.ANSWERED
    assert {r["id"]: r["twice"] for r in read(out)} == {f"q{n}": 2 * n for n in range(1, 8)}
    assert run(source, out, seen) == Exit.ANSWERED
    assert len(seen) == len(read(out)) == 7


def test_a_line_cut_short_by_a_kill_is_done_again_and_none_twice(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "ä", "n": 1}, {"id": "b", "n": 2}, {"id": "ä", "n": 3})
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "ä", "twice": 2}\n{"id": "b", "tw', encoding="utf-8")
    run(source, out)
    assert read(out) == [{"id": "ä", "twice": 2}, {"twice": 4, "id": "b"}]


def test_a_failing_record_and_a_line_that_is_no_json_get_an_error_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 0}, {"id": "b", "n": 2})
    source.write_text(source.read_text() + "{broken\n[1]\n")
    out = tmp_path / "out.jsonl"
    assert run(source, out) == Exit.FAILURE
    lines = {r["id"]: r for r in read(out)}
    assert lines["a"]["error"] == {"type": "InputError", "message": "n is zero"}
    assert lines["b"]["twice"] == 4
    assert "in.jsonl:3 is no JSON" in lines["line 3"]["error"]["message"]
    assert "in.jsonl:4 is no JSON object" in lines["line 4"]["error"]["message"]


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 1})
    with pytest.raises(InputError, match=r"none\.jsonl cannot be read"):
        run(tmp_path / "none.jsonl", tmp_path / "out.jsonl")
    with pytest.raises(StoreError, match="cannot be written"):
        run(source, tmp_path / "no" / "out.jsonl")
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text("not ours\n")
    with pytest.raises(InputError, match="name another --out"):
        run(source, foreign)
    assert foreign.read_text() == "not ours\n"


def test_two_processes_cannot_write_one_output(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 1})
    out = tmp_path / "out.jsonl"
    with out.open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy, match="another process writes"):
            run(source, out)
