"""``medattest exemplars``: the worked examples that prompts show."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from app.exits import Exit
from app.render import out, progress_bar, show_progress, show_table
from chains.understand import understand
from core.schema import Exemplar
from core.settings import load_settings
from graphs.resources import Resources
from tools.exemplars import ImportReport

SHOWN_CHARS = 60
TRIPLES = 4
"""Relations of an imported exemplar that brings none; a prompt has to hold several exemplars."""


def import_file(path: Path, as_json: bool) -> Exit:
    """Import exemplars; every record that makes none is named, the others are kept and embedded."""
    resources = _resources()
    bank = resources.exemplars
    report = bank.import_file(path, partial(_knowledge, resources))
    for refused in report.refused:
        show_progress(f"not imported: {path.name}, {refused}")
    if report.refused_count > len(report.refused):
        show_progress(f"and {report.refused_count - len(report.refused):,} more")
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


def _knowledge(resources: Resources, context: str) -> list[str]:
    """What the vocabularies state of an exemplar's concepts, found as those of a question are."""
    said = [line.removeprefix("Patient: ") for line in context.splitlines() if line.startswith("Patient: ")] or [
        context
    ]
    mentions = resources.linker.link("\n\n".join(said))
    understanding = understand(said[-1], lambda _: mentions, synonyms=resources.names)
    return [str(triple) for triple in resources.evidence_only.relater.invoke(understanding).value[:TRIPLES]]


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
