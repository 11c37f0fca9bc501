from __future__ import annotations

import asyncio
import fcntl
import json
import resource
from pathlib import Path

import pytest

from app.batch import run_batch
from app.exits import Exit
from core.errors import InputError, StoreBusy, StoreError
from core.records import Record, read_records


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(source: Path, out: Path, seen: list[str] | None = None, *, zero: int = 0, retry_failed: bool = False) -> Exit:
    async def double(record: Record) -> Record:
        if seen is not None:
            seen.append(record["id"])
        if record["n"] == zero:
            raise InputError("n is zero")
        return {"twice": record["n"] * 2}

    return asyncio.run(run_batch(source, out, double, at_once=2, tells="twice", retry_failed=retry_failed))


def test_every_record_gets_a_line_and_a_second_run_does_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", *({"id": f"q{n}", "n": n} for n in range(1, 8)))
    out, seen = tmp_path / "out.jsonl", list[str]()
    assert run(source, out, seen) == Exit.ANSWERED
    assert {r["id"]: r["twice"] for r in read(out)} == {f"q{n}": 2 * n for n in range(1, 8)}
    assert run(source, out, seen) == Exit.ANSWERED
    assert len(seen) == len(read(out)) == 7


def test_a_line_cut_short_by_a_kill_is_done_again_and_none_twice(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "ä", "n": 1}, {"id": "b", "n": 2}, {"id": "ä", "n": 1})
    out = tmp_path / "out.jsonl"
    digest = read_records(source)[0][0].digest
    out.write_text(f'{{"id": "ä", "record": "{digest}", "twice": 2}}\n{{"id": "b", "tw', encoding="utf-8")
    run(source, out)
    assert [(r["id"], r["twice"]) for r in read(out)] == [("ä", 2), ("b", 4)]


def test_a_failing_record_and_a_line_that_is_no_json_get_an_error_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 0}, {"id": "b", "n": 2})
    source.write_text(source.read_text() + "{broken\n[1]\n")
    out = tmp_path / "out.jsonl"
    assert run(source, out) == Exit.FAILURE
    lines = {r["id"]: r for r in read(out)}
    assert lines["a"]["error"] == {"type": "InputError", "message": "n is zero"}
    assert lines["b"]["twice"] == 4
    assert "in.jsonl:3 is no JSON" in lines["in.jsonl:3"]["error"]["message"]
    assert "in.jsonl:4 is no JSON object" in lines["in.jsonl:4"]["error"]["message"]


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


def test_an_empty_file_of_questions_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write(tmp_path / "in.jsonl"), tmp_path / "out.jsonl") == Exit.ANSWERED
    assert "in.jsonl: 0 records: there is nothing to do" in capsys.readouterr().err


def test_two_processes_cannot_write_one_output(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 1})
    out = tmp_path / "out.jsonl"
    with out.open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy, match="another process writes"):
            run(source, out)


def test_what_failed_is_done_again_when_asked_and_a_summary_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 0}, {"id": "b", "n": 2})
    out = tmp_path / "out.jsonl"
    assert run(source, out) == Exit.FAILURE
    told = capsys.readouterr().err
    assert "2 records: 2 done now, 0 before, 1 failed; --retry-failed" in told
    assert "a: n is zero" in told
    seen = list[str]()
    assert run(source, out, seen, zero=-1) == Exit.FAILURE, "what failed still stands there"
    assert seen == []
    assert run(source, out, seen, zero=-1, retry_failed=True) == Exit.ANSWERED
    assert seen == ["a"]
    assert [(r["id"], r["twice"]) for r in read(out)] == [("a", 0), ("b", 4)]


def test_another_record_under_a_known_id_is_told_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 1}, {"id": "a", "n": 2}, {"n": 3}, {"n": 4})
    out = tmp_path / "out.jsonl"
    assert run(source, out) == Exit.FAILURE
    assert "in.jsonl:2 has the id 'a' of line 1" in capsys.readouterr().err
    assert sorted(r["twice"] for r in read(out) if "twice" in r) == [2, 6, 8], "those without an id are no repeats"
    write(source, {"id": "a", "n": 5})
    assert run(source, out) == Exit.FAILURE
    assert "a: its record has changed" in capsys.readouterr().err
    assert run(source, out, retry_failed=True) == Exit.ANSWERED
    assert next(r["twice"] for r in read(out) if r["id"] == "a") == 10


def test_the_input_is_no_output(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "a", "n": 1})
    before = source.read_text()
    with pytest.raises(InputError, match="is the input itself"):
        run(source, source)
    assert source.read_text() == before


def test_no_record_takes_the_others_with_it(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", {"id": "\ud800", "n": 1}, {"id": "none"}, {"id": 0, "n": 3})
    source.write_text(source.read_text() + '{"id": ' + "[" * 100_000 + "\n" + '{"id": "last", "n": 4}\n')
    out = tmp_path / "out.jsonl"
    assert run(source, out) == Exit.FAILURE
    lines = {r["id"]: r for r in read(out)}
    assert [lines[name]["twice"] for name in ("\ud800", "0", "last")] == [2, 6, 8]
    assert lines["none"]["error"]["type"] == "KeyError"
    assert "nested too deeply" in lines["in.jsonl:4"]["error"]["message"]


def test_a_full_disk_is_one_sentence_and_the_next_run_goes_on(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", *({"id": f"q{n}", "n": n} for n in range(1, 60)))
    out = tmp_path / "out.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))
    try:
        with pytest.raises(StoreError, match="make room and run it again"):
            run(source, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    seen = list[str]()
    assert run(source, out, seen) == Exit.ANSWERED
    assert 0 < len(seen) < 59
    assert {r["id"]: r["twice"] for r in read(out)} == {f"q{n}": 2 * n for n in range(1, 60)}
