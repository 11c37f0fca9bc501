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
    """Read paragraphs and lists off lines; nothing marks the items of a list but the line that introduces them."""
    found: list[Block] = []
    place = 0
    while place < len(lines):
        line = lines[place].strip()
        place += 1
        if introduces(line):
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
