"""A paper's comparison as its file describes it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from core.errors import UsageError
from core.schema import Method, Part, Value
from eval.datasets import Dataset, Example
from eval.runs.systems import Graph, System

_FOLDER = Path(__file__).parent


class Row(Value):
    """One way of answering."""

    name: str
    method: Method
    without: tuple[Part, ...] = ()
    settings: dict[str, Any] = Field(default_factory=dict)


class Sweep(Value):
    """The fuzzy graph's settings, each with each."""

    tau: tuple[float, ...]
    alpha: tuple[float, ...]


class Preset(Value):
    """Which examples, which rows, which columns, and what was published; an empty figure is one that is not known."""

    about: str
    dataset: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    sweep: Sweep | None = None
    task: str | None = None
    keywords: tuple[str, ...] = Field((), description="examples must hold one of these")
    levels: tuple[str, ...] = Field((), description="columns are of NMISS's outperformance, over these levels")
    bank: float | None = Field(None, description="the share of the examples that become the bank")
    sheets: str | None = Field(None, description="the scheme of the rating sheets, where columns are ratings")
    published: dict[str, dict[str, float]] = Field(default_factory=dict)

    def systems(self, models: Sequence[str], collection: str | None, bank: str | None = None) -> list[System]:
        """The rows as systems, with every model."""
        return [
            system.model_copy(
                update={
                    "name": f"{system.name} · {model}" if len(models) > 1 else system.name,
                    "overrides": {
                        **system.overrides,
                        **({"model": None if model == "none" else model} if model else {}),
                    },
                    "collection": collection,
                    "bank": bank,
                }
            )
            for model in models or ("",)
            for system in self._systems()
        ]

    def _systems(self) -> Iterator[System]:
        for row in self.rows:
            yield System(name=row.name, method=row.method, without=row.without, overrides=row.settings)
        if self.sweep:
            for tau in self.sweep.tau:
                for alpha in self.sweep.alpha:
                    yield System(name=f"τ {tau} · α {alpha}", method="graph", graph=Graph(tau=tau, alpha=alpha))

    def chosen(self, dataset: Dataset) -> Dataset:
        """The examples of its task that hold one of its keywords."""
        own = dataset.only(self.task)
        kept = [example for example in own.examples if not self.keywords or _holds(example, self.keywords)]
        if not kept:
            wanted = f" that hold one of {', '.join(self.keywords)}" if self.keywords else ""
            raise UsageError(f"{dataset.name} has no examples for this preset{wanted}: give it another set")
        return replace(own, examples=kept)


def names() -> list[str]:
    """Every preset."""
    return sorted(file.stem for file in _FOLDER.glob("*.toml"))


def preset(name: str) -> Preset:
    """A preset by name; UsageError where there is none."""
    if name not in names():
        raise UsageError(f"there is no preset {name!r}: use one of {', '.join(names())}")
    return Preset.model_validate(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def _holds(example: Example, keywords: Sequence[str]) -> bool:
    text = " ".join([example.question, example.claim, *example.options.values()]).lower()
    return any(keyword in text for keyword in keywords)
