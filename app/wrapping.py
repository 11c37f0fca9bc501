"""Long lines: wrapped to a terminal under a hanging indent, whole where they are piped."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

NARROWEST = 20


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
    width = max(NARROWEST, console.width)
    head, *more = text.wrap(console, width, overflow="ignore")
    console.print(head, soft_wrap=True)
    if more:
        for line in text[len(head) :].wrap(console, width - rest, overflow="ignore"):
            line.rstrip()
            console.print(Text(" " * rest) + line, soft_wrap=True)
