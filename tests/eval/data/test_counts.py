"""A table of a README that names files and has a column "lines" says how many lines each of them has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "eval" / "data"
COUNTED = {name: DATA / name for name in (".", "judged", "written")}
"""Folders whose README counts every file, those of its folders without a README of their own too."""


def counts(readme: str) -> Iterator[tuple[str, int]]:
    """The files that the first cells name, in backticks, each with its count: of several, in the same order."""
    lines: int | None = None
    for row in readme.splitlines():
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")] if row.startswith("|") else []
        if not cells:
            lines = None
        elif "lines" in cells:
            lines = cells.index("lines")
        elif lines is not None and (names := re.findall(r"`([^`]+\.jsonl)`", cells[0])):
            numbers = re.findall(r"\d+(?:,\d{3})*", cells[lines])
            yield from zip(names, (int(number.replace(",", "")) for number in numbers), strict=True)


def files_of(folder: Path) -> set[Path]:
    found = {file for file in folder.iterdir() if file.suffix == ".jsonl"}
    inner = (inside for inside in folder.iterdir() if inside.is_dir() and not (inside / "README.md").exists())
    return found.union(*map(files_of, inner))


def lines_of(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


@pytest.mark.parametrize("readme", sorted(DATA.rglob("README.md")), ids=lambda path: str(path.relative_to(DATA)))
def test_a_counted_file_has_as_many_lines(readme: Path) -> None:
    told = dict(counts(readme.read_text(encoding="utf-8")))
    assert told == {name: lines_of(readme.parent / name) for name in told}


@pytest.mark.parametrize("folder", COUNTED.values(), ids=COUNTED.keys())
def test_every_file_is_counted_once(folder: Path) -> None:
    told = [folder / name for name, _ in counts((folder / "README.md").read_text(encoding="utf-8"))]
    assert sorted(told) == sorted(files_of(folder))


def test_a_table_without_the_column_counts_nothing_and_several_files_share_a_row() -> None:
    text = "| file | a line |\n|---|---|\n| `a.jsonl` | 3 |\n\n| lines | file |\n"
    assert not list(counts(text))
    rows = "| file | lines |\n|---|---|\n| `a.jsonl`, `b/c.jsonl` | 1,024; 7 |\n\nText.\n| `d.jsonl` | 2 |\n"
    assert list(counts(rows)) == [("a.jsonl", 1024), ("b/c.jsonl", 7)]
