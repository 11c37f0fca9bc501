"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Collection = Annotated[str | None, typer.Option(help="Search this collection.")]
Out = Annotated[Path | None, typer.Option(help="Batch: append results to this file; a killed run continues here.")]
