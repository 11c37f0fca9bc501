"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Collection = Annotated[str | None, typer.Option(help="Search this collection.")]
Out = Annotated[Path | None, typer.Option(help="Batch: append results to this file; a killed run continues here.")]


def _hush(asked: bool) -> bool:
    if asked:
        from app.render import hush

        hush()
    return asked


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show results and failures alone.", callback=_hush)]
All = Annotated[bool, typer.Option("--all", help="Show all, however many there are.")]
AllFailed = Annotated[bool, typer.Option("--all", help="Batch: name all that failed, however many there are.")]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="Batch: do again what failed, or has changed since it was done.")
]

MAX_QUERY_CHARS = 2_000
MAX_LINKED_CHARS = 200_000


def bounded(text: str, what: str, most: int) -> str:
    """The text; InputError where it is longer than what is done in seconds."""
    if len(text) > most:
        raise InputError(f"{what} has {len(text):,} characters, the limit is {most:,}: give a shorter one")
    return text
