"""Long lines: wrapped to a terminal under a hanging indent, whole where they are piped."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

NARROWEST = 20
_WORD = re.compile(r"\S+")


def show_text(console: Console, markup: str, first: int = 0, rest: int = 4) -> None:
    """Print markup; each of its lines begins after ``first`` blanks, what a terminal wraps of it after ``rest``."""
    for line in Text.from_markup(markup).split("\n", allow_blank=True):
        text = Text(" " * first) + line
        if console.is_terminal:
            _show_wrapped(console, text, rest)
        else:
            console.print(text, soft_wrap=True)


def _show_wrapped(console: Console, text: Text, rest: int) -> None:
    """Cut at blanks; what has none, such as an address, stays whole and can be copied."""
    head, *more = text.divide(_breaks(text.plain, max(NARROWEST, console.width), rest))
    head.rstrip()
    console.print(head, soft_wrap=True)
    for line in more:
        line.rstrip()
        console.print(Text(" " * rest) + line, soft_wrap=True)


def _breaks(plain: str, width: int, rest: int) -> list[int]:
    """Where new lines begin, so that each ends within the width; those after the first are indented by ``rest``."""
    places: list[int] = []
    start, room = 0, width
    for number, word in enumerate(_WORD.finditer(plain)):
        if number and cell_len(plain[start : word.end()]) > room:
            start, room = word.start(), width - rest
            places.append(start)
    return places
