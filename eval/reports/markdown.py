"""A report as Markdown: the tables, and the worst cases in short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.reports.cases import Pairing, worst
from eval.reports.grids import Grid
from eval.reports.page import facts
from eval.runs.experiment import Case, Experiment

_WORST = 5
_CHARS = 200


def markdown(experiment: Experiment, tables: Sequence[Grid], pairings: Sequence[Pairing], told: Sequence[str]) -> str:
    """The report."""
    return "\n".join(_lines(experiment, tables, pairings, told)) + "\n"


def table(grid: Grid) -> Iterator[str]:
    """A table, the best cells in bold."""
    yield f"| {' | '.join(map(_cell, grid.header))} |"
    yield "|" + "---|" * len(grid.header)
    for row, cells in enumerate(grid.rows):
        shown = [f"**{_cell(c)}**" if (row, place) in grid.best else _cell(c) for place, c in enumerate(cells)]
        yield f"| {' | '.join(shown)} |"


def _lines(
    experiment: Experiment, tables: Sequence[Grid], pairings: Sequence[Pairing], told: Sequence[str]
) -> Iterator[str]:
    yield f"# {experiment.manifest['dataset']['name']}: {', '.join(experiment.systems)}"
    yield ""
    yield from (f"- {name}: {value}" for name, value in facts(experiment))
    yield from (f"- **{notice}**" for notice in told)
    for grid in tables:
        yield from ("", f"## {grid.title}", "")
        if grid.note:
            yield from (grid.note, "")
        yield from table(grid)
    for pairing in pairings:
        yield from ("", f"## {pairing.second} against {pairing.first}", "")
        yield f"By {pairing.lead}: {len(pairing.won):,} gained, {len(pairing.lost):,} lost."
    for name, cases in experiment.systems.items():
        found = worst(cases)[:_WORST]
        if found:
            yield from ("", f"## Worst cases of {name}", "")
            yield from map(_case, found)


def _case(case: Case) -> str:
    asked = case.example.question or case.example.claim
    wanted = case.example.gold or next(iter(case.example.reference), "")
    risk = "" if case.risk is None else f" (risk {case.risk:.2f})"
    said = f"{case.choice}: {case.text}" if case.choice else case.text
    return f"- {_short(asked)} Wanted: {_short(wanted) or '–'} Said{risk}: {_short(said)}"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _CHARS else plain[: _CHARS - 1] + "…"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
