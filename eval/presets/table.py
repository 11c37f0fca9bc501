"""A preset's table: every cell a figure or “not available”, the published one beside it where it is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eval.human.ratings import values
from eval.metrics.nmiss import outperformance
from eval.presets.preset import Preset
from eval.reports.figures import figures
from eval.reports.grids import NOT_AVAILABLE, Grid
from eval.runs.experiment import Case, Experiment

SHEETS = "sheets"


def table(preset: Preset, experiment: Experiment, folder: Path) -> Grid:
    """The table over what the systems said, and over filled rating sheets where the columns are ratings."""
    rated = values(sorted((folder / SHEETS).glob("rater-*.csv"))) if preset.sheets else {}
    rows = []
    for system, cases in experiment.systems.items():
        own = rated.get(system, {}) if preset.sheets else _measured(preset, cases, experiment.seed)
        published = preset.published.get(system, {})
        rows.append((system, *(_cell(own.get(column), published.get(column)) for column in preset.columns)))
    return Grid(preset.about, ("", *preset.columns), rows)


def _measured(preset: Preset, cases: Sequence[Case], seed: int) -> dict[str, str]:
    if preset.levels:
        return _outperformances(preset, cases)
    return {name: str(figure) for name, figure in figures(cases, seed, preset.columns).items()}


def _outperformances(preset: Preset, cases: Sequence[Case]) -> dict[str, str]:
    found = {}
    for name in preset.columns:
        won = outperformance(
            [case.scores.get(name) for case in cases],
            [case.scores.get(f"nmiss_{name}") for case in cases],
            [bool(case.wrong) for case in cases],
            [case.example.level for case in cases],
        )
        if won is not None:
            known = [level for level in (*preset.levels, *sorted(won.by_level)) if level in won.by_level and level]
            shares = [f"{level} {won.by_level[level]:.1%}" for level in dict.fromkeys(known)]
            found[name] = ", ".join([f"{won.overall:.1%}", *shares])
    return found


def _cell(found: str | None, published: float | None) -> str:
    told = found or NOT_AVAILABLE
    return told if published is None else f"{told} (published {published})"
