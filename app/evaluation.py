"""``medattest eval``: experiments, their reports, and the sheets of human raters."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

from app.exits import Exit
from app.render import out as console
from app.render import progress_bar, show_progress, warn
from core.errors import SourceError, UsageError
from core.records import Record
from core.settings import Settings, load_settings
from eval.datasets import Dataset, load
from eval.datasets.download import downloaded
from eval.datasets.load import Leaks
from eval.datasets.splits import divided
from eval.metrics import METRICS
from eval.metrics.ready import scorers
from eval.reports.markdown import table as markdown_table
from eval.runs.conduct import conduct
from eval.runs.experiment import SCORES, Experiment, read
from eval.runs.local import answering
from eval.runs.run import Answer, Job, run
from eval.runs.scoring import DECISIONS, TEXTS, chosen, score_all
from eval.runs.systems import System, systems
from graphs.resources import Resources

AT_ONCE = 4
"""Examples that are worked on together."""
RATED, RATERS = 50, 3
"""Examples and raters of a preset's sheets."""


class How(NamedTuple):
    """Where an experiment goes, and how it is run."""

    out: Path
    at_once: int | None = None
    scheduler: str | None = None
    retry_failed: bool = False


class Asked(NamedTuple):
    """Which examples of which set."""

    name: str
    data: Path | None = None
    download: bool = False
    split: str = ""
    task: str | None = None
    language: str | None = None
    limit: int | None = None
    seed: int = 0
    leaks: str = "divide"


def dataset_of(asked: Asked) -> Dataset:
    """The set that is asked for, whole; what a reader must know of it is told."""
    settings = load_settings()
    if asked.leaks not in ("divide", "refuse"):
        raise UsageError("--leaks: say divide or refuse")
    path = downloaded(asked.name, settings.home, fetch=asked.download, tell=warn) if asked.data is None else asked.data
    found = load(asked.name, path, asked.split, cast("Leaks", asked.leaks), asked.seed)
    for notice in found.notices:
        warn(notice)
    show_progress(f"{found.name}: licence: {found.licence}")
    return found.only(asked.task, asked.language)


def run_set(
    asked: Asked,
    methods: Sequence[str],
    without: Sequence[str],
    models: Sequence[str],
    sources: str | None,
    collection: str | None,
    how: How,
    metrics: str | None,
) -> Exit:
    """Every system on the same examples, into a folder; its figures are printed."""
    named = tuple(name.strip() for name in sources.split(",") if name.strip()) if sources else None
    compared = systems(methods, without, models, sources=named, collection=collection)
    dataset = dataset_of(asked).sample(asked.limit, asked.seed)
    if not dataset.examples:
        raise UsageError(f"{asked.name} has no such example: leave out --task or --language")
    return experiment(dataset, compared, asked.seed, how, metrics)


def run_preset(
    name: str,
    asked: Asked,
    models: Sequence[str],
    collection: str | None,
    how: How,
) -> Exit:
    """A paper's comparison on the set that it names, or on another; its table is printed, and kept as preset.md."""
    from eval.presets.preset import preset
    from eval.presets.table import SHEETS, table
    from eval.runs.banked import write as write_bank

    out = how.out
    wanted = preset(name)
    if not (asked.name or wanted.dataset):
        raise UsageError(f"the preset {name} is for a set of your own: name it, eval run FILE.jsonl --preset {name}")
    dataset, bank = wanted.chosen(dataset_of(asked._replace(name=asked.name or wanted.dataset))), None
    if wanted.bank is not None:
        train, test = divided(dataset.examples, wanted.bank, asked.seed)
        dataset, bank = replace(dataset, examples=test), str(write_bank(train, (out / "bank").absolute()))
    dataset = dataset.sample(asked.limit, asked.seed)
    compared = wanted.systems(models, collection, bank)
    scored = [c for c in wanted.columns if c in METRICS and c not in DECISIONS]
    scored += [f"nmiss_{c}" for c in wanted.columns if wanted.levels]
    status = experiment(dataset, compared, asked.seed, how, ",".join(scored) or None, name)
    found = read(out)
    if wanted.sheets and not (out / SHEETS).exists():
        _write_sheets(found, out / SHEETS, wanted.sheets, asked.seed)
    shown = "\n".join((f"# {wanted.about}", "", *markdown_table(table(wanted, found, out))))
    (out / "preset.md").write_text(shown + "\n", encoding="utf-8")
    console().print(shown, markup=False, soft_wrap=True)
    return status


def _write_sheets(found: Experiment, folder: Path, scheme: str, seed: int) -> None:
    from eval.human.sheets import write

    try:
        write(found, folder, scheme, RATED, RATERS, seed)
        warn(f"sheets for raters are in {folder}; fill them in, then run this again")
    except UsageError as error:
        warn(f"no sheets for raters: {error}")


def experiment(
    dataset: Dataset,
    compared: Sequence[System],
    seed: int,
    how: How,
    metrics: str | None,
    preset: str = "",
) -> Exit:
    """Run it, or go on with it, and print its figures."""
    settings, out = load_settings(), how.out
    lines = conduct(
        dataset,
        compared,
        settings,
        seed,
        out,
        lambda wanted: _run(wanted, out, how),
        preset=preset,
        scheduler=how.scheduler,
    )
    score_folder(out, metrics)
    _send(out, settings)
    if not preset:
        _show_figures(out)
    failed = [line for line in lines.values() if "error" in line]
    for line in failed[:5]:
        warn(f"  {line['id']}: {line['error']['message']}")
    if failed:
        warn(f"{len(failed):,} of {len(lines):,} failed; --retry-failed does these again")
    return Exit.FAILURE if failed else Exit.ANSWERED


def report(folder: Path, against: Path | None, metrics: str | None) -> Exit:
    """Write the report of an experiment, beside another if one is named; where its forms are is printed."""
    from eval.reports.report import write

    for place in filter(None, (folder, against)):
        if metrics is not None or not (place / SCORES).exists():
            score_folder(place, metrics)
    other = None if against is None else read(against)
    for file in write(read(folder), folder, other):
        console().print(str(file), markup=False, soft_wrap=True)
    return Exit.ANSWERED


def score_folder(folder: Path, metrics: str | None) -> None:
    """Score what the systems of an experiment said."""
    names, experiment = chosen(metrics or TEXTS), read(folder)
    resources = Resources(_judging(experiment), show_progress)
    try:
        for notice in score_all(experiment, folder, names, scorers(names, resources)):
            warn(notice)
    finally:
        resources.close()


def _judging(experiment: Experiment) -> Settings:
    """The settings of what scores: their model, or else the only one that answered."""
    settings = load_settings()
    answered = {system["overrides"].get("model") for system in experiment.manifest["systems"]} - {None}
    return load_settings(model=answered.pop()) if settings.model is None and len(answered) == 1 else settings


def _send(folder: Path, settings: Settings) -> None:
    """To LangSmith, if the settings trace; what stands here stands, whether or not it arrives."""
    if settings.tracing:
        from eval.runs.tracked import track

        try:
            for name in track(read(folder), settings):
                warn(f"LangSmith has the experiment {name}")
        except SourceError as error:
            warn(str(error))


def _show_figures(folder: Path) -> None:
    from eval.reports.grids import grids

    for grid in grids(read(folder)):
        console().print("\n".join(("", grid.title, *markdown_table(grid))), markup=False, soft_wrap=True)


async def _run(wanted: list[Job], out: Path, how: How) -> dict[str, Record]:
    async with _answering(how) as (answer, at_once):
        with progress_bar(out.name, len(wanted)) as (advance, _):
            return await run(wanted, out, answer, at_once, advance, retry_failed=how.retry_failed)


@asynccontextmanager
async def _answering(how: How) -> AsyncIterator[tuple[Answer, int]]:
    """What answers in this process, or on the workers of the scheduler that is named, and how many at once."""
    if how.scheduler is None:
        async with answering(show_progress) as answer:
            yield answer, how.at_once or AT_ONCE
    else:
        from eval.runs.cluster import answering_on

        async with answering_on(how.scheduler) as (answer, at_once):
            yield answer, how.at_once or at_once
