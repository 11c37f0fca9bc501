"""Rows of RRF tables: fields with a bar behind each, checked a block at a time.

Columns: UMLS Reference Manual, chapter 3 (Metathesaurus, Rich Release Format) and chapter 5 (Semantic Network),
https://www.ncbi.nlm.nih.gov/books/NBK9685/.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CUIS = 10_000_000
"""CUIs are C and seven digits: a flag for each of these numbers is all that is kept of them in memory."""

_CUI = re.compile(rb"C\d{7}")
_TENS = 10 ** np.arange(6, -1, -1, dtype=np.int64)

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Layout:
    """A table: its count of columns, those that are read, and which of these are CUIs (places in ``picked``)."""

    name: str
    columns: int
    picked: tuple[int, ...]
    cuis: tuple[int, ...] = ()


MRCONSO = Layout("MRCONSO", 18, (0, 1, 2, 4, 6, 11, 12, 13, 14, 16), (0,))
"""CUI LAT TS STT ISPREF SAB TTY CODE STR SUPPRESS."""
MRSTY = Layout("MRSTY", 6, (0, 1), (0,))
"""CUI TUI."""
MRDEF = Layout("MRDEF", 8, (0, 4, 5, 6), (0,))
"""CUI SAB DEF SUPPRESS."""
MRREL = Layout("MRREL", 16, (0, 4, 3, 7, 10, 14), (0, 1))
"""CUI1 CUI2 REL RELA SAB SUPPRESS."""
MRDOC = Layout("MRDOC", 4, (0, 1, 2, 3))
MRSAB = Layout("MRSAB", 25, (3, 4, 6, 13, 24))
"""RSAB SON SVER SRL SCIT."""
SRDEF = Layout("SRDEF", 10, (1, 2))
"""UI, name."""
SRSTR = Layout("SRSTR", 4, (0, 1, 2, 3))
SRSTRE1 = Layout("SRSTRE1", 3, (0, 1, 2))
SRSTRE2 = Layout("SRSTRE2", 3, (0, 1, 2))
LAYOUTS = (MRCONSO, MRSTY, MRDEF, MRREL, MRDOC, MRSAB, SRDEF, SRSTR, SRSTRE1, SRSTRE2)


class Parsed(NamedTuple):
    """Good rows as columns, the numbers of their CUIs, how many lines there were, and bad ones: (line, why)."""

    columns: Sequence[Sequence[bytes]]
    cuis: Sequence[Numbers]
    lines: int
    bad: Sequence[tuple[int, str]]


def parse(layout: Layout, data: bytes, first: int = 1) -> Parsed:
    """Read a block of lines of which the first has this number."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    width, pick = layout.columns + 1, itemgetter(*layout.picked)
    rows = [pick(row) for line in lines if len(row := line.split(b"|")) == width]
    kept: Sequence[int] = range(len(lines))
    bad: list[tuple[int, str]] = []
    if len(rows) < len(lines) or not _is_utf8(data):
        kept, bad = _sorted_out(lines, layout)
        rows = [pick(lines[n].split(b"|")) for n in kept]
    columns: list[Sequence[bytes]] = list(zip(*rows, strict=True)) if rows else [()] * len(layout.picked)
    numbers = [cui_numbers(columns[n]) for n in layout.cuis]
    wrong = np.zeros(len(rows), bool)
    for found in numbers:
        wrong |= found < 0
    if wrong.any():
        bad += [(kept[n], f"{_malformed(rows[n], layout)!r} is no CUI") for n in np.flatnonzero(wrong).tolist()]
        columns = [[value for value, is_wrong in zip(c, wrong, strict=True) if not is_wrong] for c in columns]
        numbers = [found[~wrong] for found in numbers]
    return Parsed(columns, numbers, len(lines), [(first + n, why) for n, why in sorted(bad)])


def cui_numbers(values: Sequence[bytes]) -> Numbers:
    """Return the numbers of CUIs, -1 for what is none."""
    if set(map(len, values)) <= {8}:
        letters = np.frombuffer(b"".join(values), np.uint8).reshape(-1, 8)
        digits = letters[:, 1:].astype(np.int64) - ord("0")
        numbers: Numbers = digits @ _TENS
        numbers[(letters[:, 0] != ord("C")) | ((digits < 0) | (digits > 9)).any(axis=1)] = -1
        return numbers
    return np.array([int(value[1:]) if _CUI.fullmatch(value) else -1 for value in values], np.int64)


def _sorted_out(lines: Sequence[bytes], layout: Layout) -> tuple[list[int], list[tuple[int, str]]]:
    """Places of lines that are rows, and of those that are none with the reason; empty lines are neither."""
    kept: list[int] = []
    bad: list[tuple[int, str]] = []
    for n, line in enumerate(lines):
        columns = line.count(b"|")
        if not line.strip():
            continue
        if columns != layout.columns:
            bad.append((n, f"{columns} columns instead of {layout.columns}"))
        elif not _is_utf8(line):
            bad.append((n, "not UTF-8"))
        else:
            kept.append(n)
    return kept, bad


def _malformed(row: Sequence[bytes], layout: Layout) -> str:
    wrong = next(row[n] for n in layout.cuis if not _CUI.fullmatch(row[n]))
    return wrong[:20].decode("utf-8", "replace")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
