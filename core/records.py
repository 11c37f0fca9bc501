"""The lines of a batch: those that it is given, and those that it has written."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copymode
from typing import Any, NamedTuple, TextIO, TypeVar

from core.errors import InputError, MedattestError, StoreBusy, StoreError

Record = dict[str, Any]
Item = TypeVar("Item")
Done = Callable[[], None]


class Given(NamedTuple):
    """A line that is asked for: its name, its record or what is wrong with it, and a digest of what it says."""

    name: str
    record: Record | InputError
    digest: str


def read_records(source: Path) -> tuple[list[Given], int]:
    """The records of a JSONL file in order, and how many lines say again what an earlier one says.

    A record goes by its ``id``, otherwise by a digest of what it says. A line that is no record, and one that gives
    an id to something else than an earlier line did, goes by the file and its number and holds what is wrong with it.
    """
    try:
        if source.is_char_device():
            raise InputError(f"{source} is a device: name a file")
        lines = source.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} cannot be read as UTF-8 lines of JSON: {error}") from error
    found: dict[str, tuple[int, Given]] = {}
    repeated = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        given = _given(source, number, line)
        first, earlier = found.get(given.name, (number, given))
        if first != number and earlier.digest == given.digest:
            repeated += 1
            continue
        if first != number:
            fault = InputError(f"{source}:{number} has the id {given.name!r} of line {first}: give each its own")
            given = Given(f"{source.name}:{number}", fault, given.digest)
        found[given.name] = (number, given)
    return [given for _, given in found.values()], repeated


def _given(source: Path, number: int, line: str) -> Given:
    digest = _digest(line)
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else f"is no JSON: {str(error)[:80]}"
        return Given(f"{source.name}:{number}", InputError(f"{source}:{number} {what}"), digest)
    if not isinstance(record, dict):
        return Given(f"{source.name}:{number}", InputError(f"{source}:{number} is no JSON object"), digest)
    identifier = record.get("id")
    if isinstance(identifier, bool | list | dict):
        fault = InputError(f"{source}:{number} has an id that is neither text nor a number")
        return Given(f"{source.name}:{number}", fault, digest)
    digest = _digest(json.dumps(record, sort_keys=True))
    name = digest if identifier in (None, "") else str(identifier)
    return Given(name, {**record, "id": name}, digest)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:16]


def made_folder(path: Path) -> Path:
    """The folder, made where there is none; StoreError where it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be a folder ({error.strerror}): name another --out") from error
    return path


class Output:
    """The lines that a batch has written, by the names of their records; the last one of a name counts."""

    def __init__(self, path: Path, sink: TextIO, lines: Sequence[str]) -> None:
        """Go on after these lines, which stand in the file already."""
        self._path = path
        self._sink = sink
        self._written = 0
        self.lines: dict[str, Record] = {}
        for line in filter(str.strip, lines):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise foreign(path) from error
            if not _is_written(record):
                raise foreign(path)
            self.lines[record["id"]] = record
            self._written += 1

    def write(self, line: Record) -> None:
        """Add a line, at once; StoreError where there is no room."""
        try:
            self._sink.write(_as_json(line))
            self._sink.flush()
        except OSError as error:
            raise self._full(error) from error
        self.lines[str(line["id"])] = line
        self._written += 1

    def settle(self) -> None:
        """Leave one line a name, where some were written anew."""
        if self._written == len(self.lines):
            return
        target = self._path.resolve()
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with draft.open("w", encoding="utf-8", errors="backslashreplace") as file:
                copymode(target, draft)
                file.writelines(map(_as_json, self.lines.values()))
            draft.replace(target)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise self._full(error) from error

    def _full(self, error: OSError) -> StoreError:
        return StoreError(f"{self._path} cannot be written ({error}): make room and run it again, it goes on from here")


def _is_written(line: object) -> bool:
    """Whether a batch has written it: a line of somebody else's must not be taken for one, and be lost."""
    if not isinstance(line, dict) or not (isinstance(line.get("id"), str) and isinstance(line.get("record"), str)):
        return False
    return "error" not in line or (isinstance(line["error"], dict) and isinstance(line["error"].get("message"), str))


def foreign(path: Path) -> InputError:
    """What is wrong where an output holds lines of something else."""
    return InputError(f"{path} holds other lines than this batch writes: name another --out")


def _as_json(line: Record) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


@contextmanager
def open_output(out: Path, source: Path | None = None) -> Iterator[Output]:
    """The output of a batch, locked, without a line that was cut short; ``source`` is its input file, if it has one.

    Raises:
        InputError: it is the input, or holds other lines.
        StoreBusy: another process writes it.
        StoreError: it cannot be written.
    """
    if source is not None and out.exists() and out.samefile(source):
        raise InputError(f"{out} is the input itself: name another --out")
    try:
        # Half a character (a lone surrogate) is written as the escape that JSON has for it.
        if out.exists() and not out.is_file():
            raise StoreError(f"{out} is no regular file: name another --out")
        sink = out.open("a+", encoding="utf-8", errors="backslashreplace", newline="")
        sink.seek(0)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error}") from error
    try:
        with suppress(FileNotFoundError):
            _lock(sink, out)
        *whole, rest = sink.read().split("\n")
        ended = not rest or _is_whole(rest, out)
        output = Output(out, sink, [*whole, rest] if ended else whole)
        # Only once all lines are known to be a batch's is anything changed.
        if not ended:  # a kill cut it short
            sink.seek(0)
            sink.truncate(len("".join(line + "\n" for line in whole).encode("utf-8")))
        sink.seek(0, 2)
        if rest and ended:
            sink.write("\n")
        yield output
    finally:
        with suppress(OSError):  # what a full disk did not take was told when it was written
            sink.close()


def _lock(sink: TextIO, out: Path) -> None:
    try:
        fcntl.flock(sink, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StoreBusy(f"another process writes {out}: wait for it, or name another --out") from error
    if os.fstat(sink.fileno()).st_ino != out.stat().st_ino:
        raise StoreBusy(f"another process has just written {out}: run it again")


def _is_whole(rest: str, out: Path) -> bool:
    """Whether what stands after the last end of a line is a line; InputError where it is no beginning of one either."""
    try:
        json.loads(rest)
    except (ValueError, RecursionError) as error:
        if rest.startswith('{"'):
            return False
        raise foreign(out) from error
    return True


async def write_all(
    output: Output, wanted: Iterable[Item], line: Callable[[Item], Awaitable[Record]], at_once: int, done: Done
) -> None:
    """Write the line of each item as soon as there is one, ``at_once`` items worked on together.

    Raises:
        StoreError: the disk is full; what was written before stays.
    """
    queue = iter(wanted)

    async def worker() -> None:
        for item in queue:
            output.write(await line(item))
            done()

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(worker())
    except* MedattestError as several:
        raise several.exceptions[0] from None


async def attempted(own: Record, work: Awaitable[Record]) -> Record:
    """A line of what came of some work, or of how it failed: one item keeps no other from its line."""
    try:
        return {**await work, **own}
    except Exception as error:  # noqa: BLE001  # also a defect: it belongs into the line, not before the others
        return {**own, "error": {"type": type(error).__name__, "message": str(error)}}
