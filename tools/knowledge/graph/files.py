"""A graph on disk: ``head.json`` names a folder beside it that holds the arrays.

The arrays are written into a folder of a new name, then ``head.json`` is replaced in one step: a reader sees the old
graph or the new one, whole. Opening compares checksums, then maps the arrays; a graph that is replaced while it is open
stays readable.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreCorrupted, StoreError

FORMAT = 1
HEAD = "head.json"
PREFIX = "arrays-"
ABANDONED = 24 * 3600
"""Seconds after which arrays that no head names are left over from a process that was killed."""

Arrays = Mapping[str, NDArray[Any]]


def write(folder: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Write arrays and what is said about them in place of what is there.

    Raises:
        StoreError: the folder cannot be written; what was there before is untouched.
    """
    work: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        for name, array in arrays.items():
            np.save(work / f"{name}.npy", array, allow_pickle=False)
        checksums = {name: _checksum(work / f"{name}.npy") for name in arrays}
        head = {"format": FORMAT, "arrays": work.name, "checksums": checksums, "about": dict(about)}
        (work / HEAD).write_text(json.dumps(head), encoding="utf-8")
        previous = _named(folder)
        os.replace(work / HEAD, folder / HEAD)
    except OSError as error:
        if work:
            shutil.rmtree(work, ignore_errors=True)
        raise StoreError(
            f"{folder} cannot be written ({error.strerror}): see that the disk has room and is writable"
        ) from error
    for parts in folder.glob(f"{PREFIX}*"):
        if parts == previous or (parts != work and time.time() - parts.stat().st_mtime > ABANDONED):
            shutil.rmtree(parts, ignore_errors=True)


def read(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Map the arrays by name, and give what is said about them.

    Raises:
        StoreError: there is no graph, or one of another version.
        StoreCorrupted: it is damaged or incomplete.
    """
    try:
        head = json.loads((folder / HEAD).read_text(encoding="utf-8"))
        found = head["format"]
    except FileNotFoundError as error:
        raise StoreError(f"there is no concept graph in {folder}: build one and save it there") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _corrupted(folder, repr(error)) from error
    if found != FORMAT:
        raise StoreError(f"the concept graph in {folder} has format {found}, not {FORMAT}: build it again")
    try:
        parts = folder / _plain(head["arrays"])
        return {name: _array(parts, name, checksum) for name, checksum in head["checksums"].items()}, dict(
            head["about"]
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        if isinstance(error, FileNotFoundError) and _named(folder) not in (None, parts):
            return read(folder)  # it was replaced between its head and its arrays
        raise _corrupted(folder, str(error)) from error


def _array(parts: Path, name: str, checksum: int) -> NDArray[Any]:
    file = parts / f"{_plain(name)}.npy"
    if _checksum(file) != checksum:
        raise ValueError(f"{file.name} is damaged")
    # A plain view: indexing numpy.memmap itself makes an object of its class each time.
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))


def _plain(name: str) -> str:
    """The name, unless it leads out of its folder: a head may have been written by anybody."""
    if not name or Path(name).name != name:
        raise ValueError(f"{name!r} is no name of a file")
    return name


def _corrupted(folder: Path, why: str) -> StoreCorrupted:
    return StoreCorrupted(f"the concept graph in {folder} cannot be read ({why}): build it again")


def _named(folder: Path) -> Path | None:
    """The folder of arrays that the present head names, if it can be read."""
    try:
        return folder / _plain(json.loads((folder / HEAD).read_text(encoding="utf-8"))["arrays"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _checksum(file: Path) -> int:
    """CRC-32 of a file, read in pieces; it finds accidents, not attacks."""
    total = 0
    with file.open("rb") as opened:
        while piece := opened.read(1 << 20):
            total = zlib.crc32(piece, total)
    return total
