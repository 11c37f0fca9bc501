"""``medattest exemplars``: the worked examples that prompts show."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from app.exits import Exit
from app.render import out, progress_bar, show_progress, show_table
from core.schema import Exemplar
from core.settings import load_settings
from graphs.relating import knowledge_of
from graphs.resources import Resources
from tools.exemplars import REFUSED_SHOWN, ImportReport

SHOWN_CHARS = 60


def import_file(path: Path, everything: bool, as_json: bool) -> Exit:
    """Import exemplars; every record that makes none is named, the others are kept and embedded."""
    resources = _resources()
    bank = resources.exemplars
    report = bank.import_file(path, partial(knowledge_of, resources), None if everything else REFUSED_SHOWN)
    for refused in report.refused:
        show_progress(f"not imported: {path.name}, {refused}")
    if report.refused_count > len(report.refused):
        show_progress(f"and {report.refused_count - len(report.refused):,} more (--all)")
    with progress_bar("embedding exemplars", None) as (_, set_to):
        bank.prepare(lambda done, total: set_to(done, f"embedding {total:,} exemplars"))
    if as_json:
        sys.stdout.write(json.dumps({**asdict(report), "path": str(path)}, ensure_ascii=False) + "\n")
    else:
        out().print(_summary(report), markup=False, soft_wrap=True)
    return Exit.FAILURE if report.refused_count else Exit.ANSWERED


def list_all(as_json: bool) -> Exit:
    """Every exemplar: those that ship, and the imported ones."""
    exemplars = _resources().exemplars.exemplars()
    if as_json:
        sys.stdout.write(json.dumps([e.model_dump(mode="json") for e in exemplars], ensure_ascii=False) + "\n")
    else:
        show_table(("id", "task", "subject", "asks", "source", "reviewed"), [_row(e) for e in exemplars])
    return Exit.ANSWERED


def _summary(report: ImportReport) -> str:
    return (
        f"{report.path}: {report.new:,} exemplars new, {report.changed:,} changed, {report.same:,} there already, "
        f"{report.refused_count:,} records refused"
    )


def _row(exemplar: Exemplar) -> tuple[str, ...]:
    asks = " ".join(exemplar.context.split())
    asks = asks if len(asks) <= SHOWN_CHARS else asks[: SHOWN_CHARS - 1] + "…"
    return (exemplar.id, exemplar.task, exemplar.subject, asks, exemplar.source, exemplar.reviewed or "nobody")


def _resources() -> Resources:
    return Resources(load_settings(), show_progress)
