"""Batches: a JSONL file in, a JSONL file out, a line as soon as it is done, none twice."""

from __future__ import annotations

import asyncio
import fcntl
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from app.exits import Exit
from app.render import progress_bar
from core.errors import InputError, MedattestError, StoreBusy, StoreError

Record = dict[str, Any]


async def run_batch(
    source: Path,
    out: Path,
    work: Callable[[Record], Awaitable[Record]],
    key: Callable[[Record], str],
    at_once: int,
) -> Exit:
    """Do ``work`` for every record of ``source`` that ``out`` has no line for yet, some at once, in any order.

    A record that fails gets the line ``{id, error: {type, message}}`` and the rest goes on; the status says whether
    one did. A line that a kill cut short is done again.

    Raises:
        InputError: ``source`` cannot be read.
        StoreBusy: another process writes ``out``.
        StoreError: ``out`` cannot be written.
    """
    records = _records(source)
    with _appending(out) as (sink, done):
        failed = False
        queue = iter([(name, record) for name, record in _keyed(records, key) if name not in done])
        with progress_bar(f"{source.name}", len(records), completed=len(done)) as (advance, _):

            async def worker() -> None:
                nonlocal failed
                for name, record in queue:
                    line = await _line(name, record, work)
                    failed = failed or "error" in line
                    try:
                        sink.write(json.dumps(line, ensure_ascii=False) + "\n")
                        sink.flush()
                    except OSError as error:
                        raise StoreError(f"{out} cannot be written ({error}): make room and run it again") from error
                    advance()

            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(worker())
    return Exit.FAILURE if failed else Exit.ANSWERED


async def _line(name: str, record: Record | InputError, work: Callable[[Record], Awaitable[Record]]) -> Record:
    try:
        if isinstance(record, InputError):
            raise record
        return {**await work(record), "id": name}
    except MedattestError as error:
        return {"id": name, "error": {"type": type(error).__name__, "message": str(error)}}


def _records(source: Path) -> list[Record | InputError]:
    try:
        lines = source.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read as UTF-8 lines of JSON: {error}") from error
    return [_record(source, n, line) for n, line in enumerate(lines, start=1) if line.strip()]


def _record(source: Path, number: int, line: str) -> Record | InputError:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        return InputError(f"{source}:{number} is no JSON: {error}")
    return record if isinstance(record, dict) else InputError(f"{source}:{number} is no JSON object")


def _keyed(
    records: list[Record | InputError], key: Callable[[Record], str]
) -> Iterator[tuple[str, Record | InputError]]:
    """Every record under its key, the first of those that share one."""
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        name, item = f"line {number}", record
        if not isinstance(record, InputError):
            try:
                name = key(record)
            except ValidationError as error:
                item = InputError(error.errors()[0]["msg"].removeprefix("Value error, "))
        if name not in seen:
            seen.add(name)
            yield name, item


@contextmanager
def _appending(out: Path) -> Iterator[tuple[TextIO, set[str]]]:
    """The output, locked, without a line that was cut short; and the keys that it has lines for."""
    try:
        sink = out.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error}") from error
    with sink:
        try:
            fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreBusy(f"another process writes {out}: wait for it, or name another --out") from error
        sink.seek(0)
        lines = sink.read().split("\n")
        whole = lines[:-1]
        if lines[-1]:
            sink.seek(0)
            sink.truncate(len("".join(line + "\n" for line in whole).encode()))
        sink.seek(0, 2)
        try:
            done = {str(json.loads(line)["id"]) for line in whole if line.strip()}
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise InputError(f"{out} holds other lines than this batch writes: name another --out") from error
        yield sink, done
