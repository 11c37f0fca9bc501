"""The commands of ``medattest eval``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.exits import Exit
from app.options import AllFailed, Collection, Quiet, RetryFailed

evaluation = typer.Typer(help="Experiments on data sets, their reports, and human ratings.", no_args_is_help=True)

Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Of every random choice.")]
Metrics = Annotated[
    str | None,
    typer.Option(help="Metrics of texts with commas, all, or texts: those that need no encoder or model (default)."),
]
Folder = Annotated[Path, typer.Argument(help="The folder of an experiment.")]


@evaluation.command("run")
def run(
    dataset: Annotated[str | None, typer.Argument(help="The set's name, or a JSONL file of your own.")] = None,
    preset: Annotated[str | None, typer.Option(help="A paper's comparison, such as halo-table1.")] = None,
    data: Annotated[Path | None, typer.Option(help="The set's file, its folder, or a folder of several sets.")] = None,
    out: Annotated[Path, typer.Option(help="The folder of the experiment; one that was killed goes on.")] = Path(
        "experiment"
    ),
    method: Annotated[list[str] | None, typer.Option(help="A system that answers; repeat to compare.")] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="Also each method without these parts; repeat, or use commas.")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="A model behind the methods, or none; repeat to compare.")
    ] = None,
    sources: Annotated[str | None, typer.Option(help="Where to search; the set's own texts otherwise.")] = None,
    collection: Collection = None,
    limit: Annotated[int | None, typer.Option(min=1, help="So many examples, drawn by the seed.")] = None,
    seed: Seed = 0,
    split: Annotated[str, typer.Option(help="The part wanted: train, dev or test.")] = "",
    task: Annotated[str | None, typer.Option(help="Examples of this task alone: choice, yesno, open, …")] = None,
    language: Annotated[str | None, typer.Option(help="Examples in this language alone, such as it.")] = None,
    leaks: Annotated[str, typer.Option(help="Parts that share texts: divide them anew, or refuse.")] = "divide",
    download: Annotated[bool, typer.Option("--download", help="Fetch the set from its home first.")] = False,
    at_once: Annotated[int | None, typer.Option(min=1, max=256, help="Examples worked on together.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler whose workers answer, such as tls://host:8786.")
    ] = None,
    metrics: Metrics = None,
    retry_failed: RetryFailed = False,
    quiet: Quiet = False,
) -> Exit:
    """Run systems side by side on the same examples; a killed run goes on where it stopped."""
    from app import evaluation as door
    from core.errors import UsageError

    if dataset is None and preset is None:
        raise UsageError("name a DATASET, a set or a JSONL file, or a --preset")
    asked = door.Asked(dataset or "", data, download, split, task, language, limit, seed, leaks)
    how = door.How(out, at_once, scheduler, retry_failed)
    if preset is not None:
        if method or without or sources or metrics:
            raise UsageError("a preset says which methods, parts, sources and metrics: leave these out")
        return door.run_preset(preset, asked, model or [], collection, how)
    return door.run_set(asked, method or [], without or [], model or [], sources, collection, how, metrics)


@evaluation.command("report")
def report(
    folder: Folder,
    against: Annotated[Path | None, typer.Option(help="Another experiment, compared case by case.")] = None,
    metrics: Metrics = None,
    quiet: Quiet = False,
) -> Exit:
    """Write an experiment's report: one page that needs nothing else, and Markdown."""
    from app import evaluation as door

    return door.report(folder, against, metrics)


@evaluation.command("metrics")
def metrics(
    answers: Annotated[Path, typer.Argument(help="A JSONL file of {id, question, reference?, context?, answer}.")],
    out: Annotated[Path, typer.Option(help="Append {id, metrics} to this file; a killed run continues here.")],
    metrics: Annotated[
        str, typer.Option(help="Metrics with commas, all, or texts: those that need no encoder or model.")
    ] = "all",
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
) -> Exit:
    """Score stored answers, whoever gave them; what cannot be scored is not available."""
    from app import stored as door

    return door.score_stored(answers, out, metrics, retry_failed, everything)


@evaluation.command("sheet")
def sheet(
    folder: Folder,
    scheme: Annotated[str, typer.Option(help="What raters are asked: imkdg or certified.")] = "imkdg",
    examples: Annotated[int, typer.Option(min=1, help="So many examples, drawn by the seed.")] = 50,
    raters: Annotated[int, typer.Option(min=1, max=100, help="A sheet for each.")] = 3,
    out: Annotated[Path | None, typer.Option(help="Where the sheets go; sheets in the folder otherwise.")] = None,
    seed: Seed = 0,
) -> Exit:
    """Write rating sheets that do not say who answered, and the key that does."""
    from app import human as door

    return door.sheet(folder, out or folder / "sheets", scheme, examples, raters, seed)


@evaluation.command("ratings")
def ratings(
    sheets: Annotated[list[Path], typer.Argument(help="The rated sheets, one a rater.")],
    key: Annotated[Path | None, typer.Option(help="Who answered; key.json beside the sheets otherwise.")] = None,
) -> Exit:
    """Report what raters said: mean, range, variance, and their agreement."""
    from app import human as door

    return door.ratings(sheets, key)
