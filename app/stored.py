"""``medattest eval metrics``: answers that stand in a file are scored as far as they can be."""

from __future__ import annotations

import asyncio
from pathlib import Path

from app.batch import run_batch
from app.exits import Exit
from app.render import out as console
from app.render import show_progress, warn
from core.errors import InputError
from core.records import Record, open_output, read_records
from core.settings import load_settings
from eval.datasets import Example
from eval.metrics import instrument, notices, score
from eval.metrics.ready import scorers
from eval.metrics.scorers import Scorers
from eval.metrics.stored import Stored, stored
from eval.reports.grids import grids
from eval.reports.markdown import table
from eval.runs.experiment import Case, Experiment
from eval.runs.scoring import chosen
from graphs.resources import Resources

AT_ONCE = 1
"""Records: a metric that asks a model asks about one record several things at once."""
SEED = 0
"""Of the intervals' resamples."""


def score_stored(source: Path, out: Path, metrics: str, retry_failed: bool, everything: bool) -> Exit:
    """Score every answer that the output has no line for yet; the figures of all of them are printed."""
    names = chosen(metrics)
    resources = Resources(load_settings(), show_progress)
    try:
        by = scorers(names, resources)
        _same_metrics(source, out, names, by)

        async def work(record: Record) -> Record:
            found = await asyncio.to_thread(score, [stored(record).scored()], names, by)
            depends = {name: on for name in names if (on := instrument(name, by))}
            return {"metrics": {name: column[0] for name, column in found.items()}, "by": depends}

        status = asyncio.run(
            run_batch(source, out, work, AT_ONCE, tells="metrics", retry_failed=retry_failed, everything=everything)
        )
        for notice in notices(names, by):
            warn(notice)
    finally:
        resources.close()
    _show(source, out, names)
    return status


def _same_metrics(source: Path, out: Path, names: list[str], by: Scorers) -> None:
    held = next((line for line in _lines(source, out).values() if "metrics" in line), None)
    if held is None:
        return
    if set(held["metrics"]) != set(names):
        raise InputError(f"{out} holds other metrics than these: name another --out, or the same --metrics")
    for name in names:
        if held.get("by", {}).get(name, "") != instrument(name, by):
            before = held.get("by", {}).get(name) or "nothing"
            now = instrument(name, by) or "nothing"
            raise InputError(f"{out} holds {name} by {before}, and it would now be by {now}: name another --out")


def _show(source: Path, out: Path, names: list[str]) -> None:
    lines = _lines(source, out)
    given = [one.record for one in read_records(source)[0] if "metrics" in lines.get(one.name, {})]
    records = [stored(record) for record in given if not isinstance(record, InputError)]
    cases = [_case(record, lines[record.id]["metrics"]) for record in records]
    shown = Experiment(source.stem, {"seed": SEED, "metrics": {"names": names}}, {source.stem: cases})
    for grid in grids(shown) if cases else ():
        console().print("\n".join(("", grid.title, *table(grid))), markup=False, soft_wrap=True)


def _case(record: Stored, metrics: dict[str, float | None]) -> Case:
    example = Example(
        id=record.id,
        task="choice" if record.gold else "open",
        question=record.question,
        reference=record.reference,
        gold=record.gold,
        hallucinated=record.hallucinated,
        level=record.level,
        subject=record.subject,
    )
    line = {"text": record.answer or "", "choice": record.choice, "risk": record.risk, "abstained": not record.answer}
    return Case(example, line, metrics)


def _lines(source: Path, out: Path) -> dict[str, Record]:
    """The lines that the output has by now."""
    with open_output(out, source) as output:
        return output.lines
