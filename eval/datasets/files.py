"""Records of a data set's file, whatever its form: JSON Lines, JSON, CSV, TSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError

Row = Mapping[str, Any]
_LISTS = ("questions", "data")
"""Where BioASQ's and SQuAD's files keep their records."""


def rows(path: Path) -> Iterator[Row]:
    """The records of a file; InputError, with the line, where it cannot be read.

    Of a JSON object of objects each is a record, its key the ``id``.
    """
    reader = {".json": _json, ".csv": _table, ".tsv": _table}.get(path.suffix.lower(), _lines)
    try:
        for number, row in enumerate(reader(path), start=1):
            if not isinstance(row, Mapping):
                raise InputError(f"{path}, record {number}: an object is wanted, this is {type(row).__name__}")
            yield row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read ({error}): give the set's file, or the folder where it is") from error


def cells(path: Path) -> Iterator[list[str]]:
    """The rows of a CSV without a header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from csv.reader(file)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read ({error}): give the set's file, or the folder where it is") from error


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{path}:{number} is no JSON ({error})") from error


def _json(path: Path) -> Iterable[Any]:
    """One list, or one object of objects; MedMCQA's release has JSON Lines under this suffix."""
    try:
        held = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        return _lines(path)
    if isinstance(held, list):
        return held
    for name in _LISTS:
        if isinstance(held.get(name), list):
            return list(held[name])
    keyed = all(isinstance(row, Mapping) for row in held.values())
    return [{"id": key, **row} for key, row in held.items()] if keyed else [held]


def _table(path: Path) -> Iterator[dict[str, str]]:
    csv.field_size_limit(1 << 24)  # whole notes stand in one cell
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
