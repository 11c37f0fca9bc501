"""Long lines: wrapped to a terminal under a hanging indent, whole where they are piped."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from app.render import out

NARROWEST = 20


def show_text(markup: str, first: int = 0, rest: int = 4, style: str = "", console: Console | None = None) -> None:
    """Print on standard output; a terminal's first line begins after ``first`` blanks, its others after ``rest``."""
    console = console or out()
    text = Text.from_markup(markup, style=style)
    if not console.is_terminal:
        console.print(Text(" " * first) + text, soft_wrap=True)
        return
    # The lines are cut as if all began where the others do, and the first is given its own place.
    text = Text(" " * max(0, first - rest)) + text
    for number, line in enumerate(
        text.wrap(console, max(NARROWEST, console.width - max(first, rest)), overflow="ignore")
    ):
        line.rstrip()
        console.print(Text(" " * (rest if number else first)) + line, soft_wrap=True)
