"""``medattest eval sheet`` and ``medattest eval ratings``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.exits import Exit
from app.render import out
from eval.human import ratings as rated
from eval.human import sheets
from eval.reports.markdown import table
from eval.runs.experiment import read


def sheet(folder: Path, target: Path, scheme: str, examples: int, raters: int, seed: int) -> Exit:
    """Write the sheets; where they are is printed."""
    for file in sheets.write(read(folder), target, scheme, examples, raters, seed):
        out().print(str(file), markup=False, soft_wrap=True)
    return Exit.ANSWERED


def ratings(files: Sequence[Path], key: Path | None) -> Exit:
    """Print what the raters said."""
    for grid in rated.ratings(files, key):
        out().print("\n".join(("", grid.title, *table(grid))), markup=False, soft_wrap=True)
    return Exit.ANSWERED
