"""A report in the folder of its experiment: ``report.html`` and ``report.md``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eval.presets.preset import preset
from eval.presets.table import table
from eval.reports.cases import pairings
from eval.reports.grids import grids
from eval.reports.markdown import markdown
from eval.reports.page import page
from eval.reports.plots import plots
from eval.runs.experiment import Experiment

PAGE = "report.html"
TEXT = "report.md"


def write(experiment: Experiment, folder: Path, against: Experiment | None = None) -> tuple[Path, Path]:
    """Write both forms; with another experiment, compared with it case by case."""
    manifest = experiment.manifest
    told = [*manifest["dataset"]["notices"], *manifest.get("metrics", {}).get("notices", ())]
    shown = experiment if against is None else _beside(against, experiment)
    tables = list(grids(shown))
    if against is None and (name := manifest.get("preset")):
        tables.insert(0, table(preset(name), experiment, folder))
    pairs = pairings(against or experiment, experiment)
    (folder / PAGE).write_text(page(experiment, tables, plots(shown), pairs, told), encoding="utf-8")
    (folder / TEXT).write_text(markdown(experiment, tables, pairs, told), encoding="utf-8")
    return folder / PAGE, folder / TEXT


def _beside(first: Experiment, second: Experiment) -> Experiment:
    """The systems of both experiments in one, each under its experiment's name too."""
    systems = {f"{name} ({e.name})": cases for e in (first, second) for name, cases in e.systems.items()}
    return replace(second, systems=systems)
