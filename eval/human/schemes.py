"""What raters are asked, as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import UsageError


@dataclass(frozen=True)
class Criterion:
    """One thing to rate; ``values`` are what a cell may hold."""

    name: str
    asks: str
    values: tuple[int | str, ...]

    @property
    def numeric(self) -> bool:
        """Whether ratings have a mean."""
        return all(isinstance(value, int) for value in self.values)

    @property
    def heading(self) -> str:
        """The head of its column: its name, what may be answered, and what it asks."""
        allowed = f"{self.name} ({'/'.join(map(str, self.values))})"
        return f"{allowed}: {self.asks}" if self.asks else allowed

    def given(self, row: Mapping[str, str | None]) -> str:
        """What a row of a sheet holds for it, empty where nothing; a spreadsheet's 4.0 is 4."""
        held = next((cell for head, cell in row.items() if head and head.partition(" ")[0] == self.name), None)
        value = (held or "").strip().lower()
        return value.removesuffix(".0") if self.numeric else value


@cache
def schemes() -> dict[str, tuple[Criterion, ...]]:
    """The criteria of every scheme."""
    held = tomllib.loads(Path(__file__).with_name("schemes.toml").read_text(encoding="utf-8"))
    return {
        scheme: tuple(Criterion(name, each["asks"], tuple(each["values"])) for name, each in criteria.items())
        for scheme, criteria in held.items()
    }


def scheme(name: str) -> tuple[Criterion, ...]:
    """The criteria of one scheme."""
    if name not in schemes():
        raise UsageError(f"there is no scheme {name!r}: use one of {', '.join(schemes())}")
    return schemes()[name]
