"""From the lines of a text to passages: paragraphs, and lists whole with the sentence that introduces them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.language import sentences

TARGET_TOKENS = 112
"""A passage takes no more text once it has so many."""
MOST_TOKENS = 176
"""No passage has more, its title aside; the embedder reads 256."""
LONG_ITEM = 3
"""An item of a list seldom has more sentences."""

COLUMNS = range(2, 5)
LEAST_ROWS = 3
LONGEST_CELL = 100

BULLET = "- "
_INTRODUCES = re.compile(r":$|\b(?:includes?|including|such as)$")
Count = Callable[[str], int]
"""Tokens of a text."""


class Block(NamedTuple):
    """A paragraph, or with ``items`` a list and the paragraph that introduces it."""

    text: str
    items: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self.text, *(BULLET + item for item in self.items)))


def blocks(lines: Sequence[str]) -> list[Block]:
    """Read paragraphs and lists off lines; nothing marks the items of a list but the line that introduces them.

    A table is a list of its rows, each cell of which is named by its column.
    """
    found: list[Block] = []
    place = 0
    while place < len(lines):
        line = lines[place].strip()
        place += 1
        if table := _table(lines, place) if line else None:
            found.append(Block(line, table.rows))
            place = table.end
        elif introduces(line):
            place += place < len(lines) and not lines[place].strip()
            end = place
            while end < len(lines) and lines[end].strip() and not introduces(lines[end]):
                end += 1
            items = _items([line.strip() for line in lines[place:end]])
            found.append(Block(line, tuple(items)))
            place += len(items)
        elif line:
            found.append(Block(line))
    return found


class _Group(NamedTuple):
    """Lines without a blank one between them, and the place after them."""

    cells: Sequence[str]
    end: int


class _Table(NamedTuple):
    """The rows of a table as text, and the place of the line after it."""

    rows: tuple[str, ...]
    end: int


def _table(lines: Sequence[str], place: int) -> _Table | None:
    """The table that begins at a place: after a blank line its columns, then rows of as many lines, blanks between."""
    groups = list(_groups(lines, place))
    if len(groups) > 1 and len(groups[1].cells) == 1:  # the last column's name stands by itself
        groups[:2] = [_Group([*groups[0].cells, *groups[1].cells], groups[1].end)]
    if not groups:
        return None
    columns, end = groups[0]
    rows: list[str] = []
    for group in groups[1:]:
        row = _row(columns, group.cells)
        if not row or max(map(len, group.cells)) > LONGEST_CELL:
            break
        rows.append(row)
        end = group.end
    if len(columns) not in COLUMNS or len(rows) < LEAST_ROWS or any(_ends(name) for name in columns):
        return None
    return _Table(tuple(rows), end)


def _groups(lines: Sequence[str], place: int) -> Iterator[_Group]:
    """Runs of lines without a blank one between them."""
    while place < len(lines):
        start = place + (not lines[place].strip())
        place = start
        while place < len(lines) and lines[place].strip():
            place += 1
        if place == start:
            return
        yield _Group([line.strip() for line in lines[start:place]], place)


def _row(columns: Sequence[str], cells: Sequence[str]) -> str:
    """A row in words, of what its first cell names; empty where its cells are not those of the columns."""
    if len(cells) == len(columns) == len(("name", "value")):
        return f"{cells[0]}: {cells[1]}"
    joint = cells[2] if len(cells) == len(columns) + 1 == len(("name", "one", "and", "other")) else ""
    if joint not in ("", "and", "or"):
        return ""
    values = [*cells[1:2], *cells[3:]] if joint else cells[1:]
    if len(values) != len(columns) - 1:
        return ""
    told = [f"{column}: {value}" for column, value in zip(columns[1:], values, strict=True)]
    return f"{cells[0]} - {(f' {joint} ' if joint else '; ').join(told)}"


def _ends(line: str) -> bool:
    return line.endswith((".", ":", "!", "?"))


def introduces(line: str) -> bool:
    """Whether a line ends where a list begins."""
    return _INTRODUCES.search(line.strip()) is not None


def _items(run: Sequence[str]) -> Sequence[str]:
    """The items at the head of a run of lines: paragraphs that follow without a blank line are sentences, whole."""
    open_ended = [place for place, line in enumerate(run) if not line.endswith((".", "!", ")", "?", '"'))]
    if open_ended:
        return run[: open_ended[-1] + 1]
    return run[: next((n for n, line in enumerate(run) if len(sentences(line)) > LONG_ITEM), len(run))]


def passages(of: Sequence[Block], count: Count) -> list[str]:
    """Pack blocks into passages; one that is too long is cut between sentences, or between a list's items."""
    packed: list[list[str]] = []
    taken = MOST_TOKENS
    for piece in (piece for block in of for piece in _pieces(block, count)):
        tokens = count(piece)
        if not packed or taken >= TARGET_TOKENS or taken + tokens > MOST_TOKENS:
            packed.append([])
            taken = 0
        packed[-1].append(piece)
        taken += tokens
    return [
        "\n\n".join(pieces) for pieces in packed
    ]  # the blank line ends a list: what follows is no part of its last item


def _pieces(block: Block, count: Count) -> Iterator[str]:
    if count(str(block)) <= MOST_TOKENS:
        yield str(block)
    elif not block.items:
        yield from _filled("", " ", [sentence.text for sentence in sentences(block.text)], count)
    else:
        told = [sentence.text for sentence in sentences(block.text)]
        yield from _filled("", " ", told[:-1], count)
        yield from _filled(told[-1], "\n", [BULLET + item for item in block.items], count)


def _filled(opening: str, between: str, parts: Sequence[str], count: Count) -> Iterator[str]:
    """Runs of parts that fit, each after the opening; a part that is too long by itself is cut between words."""
    held: list[str] = [opening] if opening else []
    for short in (short for part in parts for short in _short(part, count)):
        if len(held) > bool(opening) and count(between.join((*held, short))) > MOST_TOKENS:
            yield between.join(held)
            held = [opening] if opening else []
        held.append(short)
    if len(held) > bool(opening):
        yield between.join(held)


def _short(part: str, count: Count) -> Iterator[str]:
    words = part.split(" ")
    while words and count(" ".join(words)) > MOST_TOKENS:
        fits = bisect_right(range(len(words)), MOST_TOKENS, key=lambda n: count(" ".join(words[:n])))
        yield " ".join(words[: max(1, fits - 1)])
        words = words[max(1, fits - 1) :]
    if words:
        yield " ".join(words)
