"""Records of a file, one after the other, with the line where each begins: CSV, JSON Lines, a JSON list, MedDialog."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

from core.errors import InputError
from tools.exemplars.values import Refused

ACCEPTED = (
    "Accepted are .jsonl and .json with an exemplar (task, context, answer, …), an MTS-Dialog record (dialogue, "
    "section_header) or a MedDialog record (description, utterances) each; .csv with columns of such names; "
    "and .txt of MedDialog, with blocks of Description, Dialogue, Patient: and Doctor:"
)
COLUMNS = ("dialogue", "context")
_CHUNK = 1 << 16
_MAX_RECORD = 1 << 22
_BETWEEN = re.compile(r"[\s,]*")
_BLOCK = re.compile(r"id\s*=\s*\d+\s*$", re.IGNORECASE)


class Record(NamedTuple):
    """A record and the line where it begins."""

    line: int
    fields: Mapping[str, object]


Read = Iterator[Record | Refused]


def records(path: Path) -> Read:
    """The records of a file, read as they are asked for.

    Raises:
        InputError: the file cannot be read, or its suffix or its columns are not among those accepted.
    """
    readers = {".csv": _csv, ".jsonl": _json, ".ndjson": _json, ".json": _json, ".txt": _meddialog}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path} is of no form that is known here. {ACCEPTED}")
    try:
        # What is no UTF-8 is replaced, and its record refused: one bad byte costs one record.
        with path.open(encoding="utf-8-sig", errors="replace", newline="" if reader is _csv else None) as file:
            yield from reader(file)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error}): give the path of a file") from error


def _csv(file: TextIO) -> Read:
    rows = csv.DictReader(file, strict=True)
    try:
        if not set(COLUMNS) & set(rows.fieldnames or ()):
            raise InputError(f"the columns are {', '.join(rows.fieldnames or ()) or 'none'}. {ACCEPTED}")
        line = rows.line_num + 1
        for row in rows:
            if None in row or None in row.values():
                yield Refused(line, "it has not as many fields as the first line has columns")
            else:
                yield Record(line, row)
            line = rows.line_num + 1
    except csv.Error as error:
        yield Refused(rows.line_num, f"no CSV ({error}): from here on the file was not read")


def _json(file: TextIO) -> Read:
    first = file.read(_CHUNK).lstrip()[:1]
    file.seek(0)
    yield from _elements(file) if first == "[" else _lines(file)


def _lines(file: TextIO) -> Read:
    for number, line in enumerate(file, start=1):
        if line.strip():
            try:
                yield _object(number, json.loads(line))
            except (ValueError, RecursionError) as error:
                yield Refused(number, f"no JSON ({error})")


def _elements(file: TextIO) -> Read:
    """The elements of one JSON list, of which never more than one and a piece of the file is in memory."""
    decoder, buffer, line = json.JSONDecoder(), file.read(_CHUNK).lstrip().removeprefix("["), 1
    while True:
        start = _BETWEEN.match(buffer).end()  # type: ignore[union-attr]  # it matches nothing at all too
        line, buffer = line + buffer.count("\n", 0, start), buffer[start:]
        if buffer.startswith("]"):
            return
        try:
            value, end = decoder.raw_decode(buffer)
        except (ValueError, RecursionError) as error:
            more = file.read(_CHUNK) if len(buffer) < _MAX_RECORD else ""
            if not more:
                yield Refused(line, f"no JSON ({error}): from here on the file was not read")
                return
            buffer += more
            continue
        yield _object(line, value)
        line, buffer = line + buffer.count("\n", 0, end), buffer[end:]


def _object(line: int, value: object) -> Record | Refused:
    if isinstance(value, dict):
        return Record(line, value)
    return Refused(line, f"a JSON object is wanted, this is {type(value).__name__}")


def _meddialog(file: TextIO) -> Read:
    """Blocks of MedDialog's release: ``id=…``, an address, ``Description`` and a text, ``Dialogue`` and the turns."""
    start, block = 1, _Block()
    for number, line in enumerate(file, start=1):
        text = line.strip()
        if _BLOCK.match(text) or (text == "Description" and block.part):
            yield from block.record(start)
            start, block = number, _Block()
        block.add(text)
    yield from block.record(start)


class _Block:
    """One consultation in MedDialog's release, gathered line by line."""

    def __init__(self) -> None:
        self.part = ""
        self._description: list[str] = []
        self._turns: list[list[str]] = []

    def add(self, line: str) -> None:
        """Add the next line."""
        if line in ("Description", "Dialogue"):
            self.part = line
        elif self.part == "Description":
            self._description.append(line)
        elif self.part == "Dialogue" and line:
            if line.lower().startswith(("patient:", "doctor:")):
                self._turns.append([])
            if self._turns:
                self._turns[-1].append(line)

    def record(self, line: int) -> Read:
        """The record, where the block has anything of one."""
        if self.part:
            description = " ".join(filter(None, self._description)).removeprefix("Q.").strip()
            yield Record(line, {"description": description, "utterances": [" ".join(turn) for turn in self._turns]})
