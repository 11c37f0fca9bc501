"""The project's own figures: the evidence-only engine on parts of public sets, written as a report.

It runs the same experiments as ``medattest eval run``, with its own settings and no model, on examples that the seed
draws. Beside each figure stand the commonest class of the same examples and the floor that the data's README names,
which was measured on other, disjoint examples.

    python -m eval.own_figures --data DIR [--limit 500] [--out docs/report.md] [--runs DIR]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.errors import InputError
from core.records import Record
from core.settings import load_settings
from eval import mirage
from eval.datasets import Dataset, Example, load
from eval.datasets.recorded import recorded
from eval.reports.figures import Figure, costs, doc, figures
from eval.reports.grids import NOT_AVAILABLE, Grid, differences
from eval.reports.markdown import table
from eval.reports.page import facts
from eval.runs.baseline import always, commonest
from eval.runs.conduct import conduct
from eval.runs.experiment import Experiment, read
from eval.runs.local import answering
from eval.runs.run import Job, run
from eval.runs.systems import System
from eval.training.scifact import kept_out

LIMIT = 500
"""Examples of each set at most: half an hour on two cores."""
SEED = 0
AT_ONCE = 2
TOLD_EVERY = 25
ENGINE = System(
    name="evidence-only engine",
    overrides={"model": None, "sources": ("library", "knowledge", "repository")},
)

FORCED = ENGINE.model_copy(
    update={
        "name": "made to decide",
        "overrides": {**ENGINE.overrides, "decide_risk": 1.0, "accept_risk": 1.0},
    }
)
"""As examinations are taken: the likeliest word is told at any risk (MEDATTEST_DECIDE_RISK and ACCEPT_RISK at 1)."""


def _all(example: Example) -> bool:
    return True


def _unread(example: Example) -> bool:
    """Whether an example of SciFact is of a claim that the reader of entailment did not see."""
    return kept_out(int(example.id.partition("/")[0]))


@dataclass(frozen=True)
class Part:
    """What is asked of a set, and what its figures stand beside."""

    name: str
    about: str
    metrics: tuple[str, ...]
    floors: Mapping[str, float] = field(default_factory=dict)
    task: str | None = None
    keep: Callable[[Example], bool] = _all
    forced: bool = False

    @property
    def systems(self) -> tuple[System, ...]:
        """What is asked, the defaults first."""
        return (ENGINE, FORCED) if self.forced else (ENGINE,)

    def drawn(self, data: Path, limit: int) -> Dataset:
        """So many of its examples."""
        found = load(self.name, data, seed=SEED).only(self.task)
        return replace(found, examples=[e for e in found.examples if self.keep(e)]).sample(limit, SEED)


CHOICES = ("accuracy", "coverage", "accuracy_answered")
RISK = ("risk_auc", "calibration_error")
PARTS = (
    Part(
        "pubmedqa",
        "PubMedQA: yes, no or maybe from the abstract without its conclusion. Nothing was fitted on it.",
        (*CHOICES, "macro_f1", *RISK),
        {"accuracy": 0.558, "macro_f1": 0.386},
        forced=True,
    ),
    Part(
        "bioasq",
        "BioASQ: the questions of yes and no, from the abstracts that its experts found. Nothing was fitted on it.",
        (*CHOICES, "macro_f1", *RISK),
        {"accuracy": 0.639},
        task="yesno",
        forced=True,
    ),
    Part(
        "scifact",
        "SciFact: each claim against each abstract that it cites: supported, contradicted or not decided. Claims that "
        "the reader of entailment did not see; the fit of the signals over it did.",
        ("macro_f1", "accuracy", *RISK),
        {"macro_f1": 0.510},
        keep=_unread,
    ),
    Part(
        "mirage",
        "MIRAGE: multiple choice of MedMCQA, MedQA and MMLU, without a model and with no other texts than the library "
        "that ships: what its texts do not decide is left open. Nothing was fitted on it.",
        CHOICES,
    ),
)


def conducted(part: Part, data: Path, limit: int, folder: Path) -> Experiment:
    """The part's experiment, run or gone on with."""

    async def answered(wanted: list[Job]) -> dict[str, Record]:
        done = 0

        def advance() -> None:
            nonlocal done
            done += 1
            if done % TOLD_EVERY == 0 or done == len(wanted):
                _tell(f"{part.name}: {done} of {len(wanted)}")

        async with answering(_tell) as answer:
            return await run(wanted, folder, answer, AT_ONCE, advance)

    conduct(part.drawn(data, limit), part.systems, load_settings(), SEED, folder, answered)
    return read(folder)


def report(found: Sequence[tuple[Part, Experiment]], recordings: Grid, command: str) -> str:
    """The whole report, as Markdown."""
    return "\n".join(_lines(found, recordings, command)) + "\n"


def _lines(found: Sequence[tuple[Part, Experiment]], recordings: Grid, command: str) -> Iterator[str]:
    manifest = found[0][1].manifest
    commits = dict.fromkeys(session["commit"] for _, run in found for session in run.manifest["sessions"])
    yield from ("# The project's own figures", "")
    yield "Without a model, on examples that the seed drew. Every figure has its 95 % bootstrap interval. “Floor” is"
    yield "what the README of the data names, measured on other, disjoint examples of the same set. “Made to decide” is"
    yield "the same engine that tells the likeliest word at any risk, as examinations are taken."
    yield ""
    yield f"- printed by: `{command}`"
    yield f"- seed: {SEED}"
    yield f"- commit: {', '.join(commits)}"
    yield f"- Python {manifest['python']}; {', '.join(f'{n} {v}' for n, v in manifest['versions'].items())}"
    for part, experiment in found:
        yield from ("", f"## {part.name}", "", part.about, "")
        yield from _section(part, experiment)
    yield from ("", f"## {recordings.title}", "", f"Strict: an abstention is wrong. {recordings.note}", "")
    yield from table(recordings)


def _section(part: Part, experiment: Experiment) -> Iterator[str]:
    cases = list(experiment.systems[ENGINE.name])
    examples = [case.example for case in cases]
    majority = commonest(examples)
    base = always(examples, majority)
    yield from (f"- {name}: {value}" for name, value in facts(experiment) if name in ("data", "licence of the data"))
    took = costs(cases)
    yield f"- failed: {took['failed']}; median {took['median seconds']} s"
    yield from (f"- **{notice}**" for notice in experiment.manifest["dataset"]["notices"])
    yield ""
    systems = {**experiment.systems, f"majority: always “{majority}”": base}
    yield from table(_grid(part, {name: figures(own, SEED, part.metrics) for name, own in systems.items()}))
    beside = replace(experiment, systems={"the majority": base, **experiment.systems})
    for grid in differences(beside):
        yield from ("", grid.note, "")
        yield from table(grid)


def _grid(part: Part, found: Mapping[str, Mapping[str, Figure]]) -> Grid:
    rows = [
        (
            name,
            *(str(own.get(name, NOT_AVAILABLE)) for own in found.values()),
            f"{part.floors[name]:.3f}" if name in part.floors else "–",
            doc(name),
        )
        for name in part.metrics
    ]
    return Grid("", ("metric", *found, "floor", "what it says"), rows)


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m eval.own_figures", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with pubmedqa, bioasq, scifact, mirage")
    parser.add_argument("--limit", type=int, default=LIMIT, help="so many examples of each set")
    parser.add_argument("--out", type=Path, default=Path("docs/report.md"), help="the report")
    parser.add_argument("--runs", type=Path, help="keep the experiments here, and go on with those that are there")
    given = parser.parse_args()
    if not given.data.is_dir():
        raise InputError(f"{given.data} is not there: name the folder of the development data, make figures DATA=…")
    with nullcontext(given.runs) if given.runs else tempfile.TemporaryDirectory() as kept:
        found = [(part, conducted(part, given.data, given.limit, Path(kept) / part.name)) for part in PARTS]
        recordings = mirage.grid(list(recorded(given.data / "mirage")), SEED)
        command = f"make figures DATA=… LIMIT={given.limit}"
        given.out.write_text(report(found, recordings, command), encoding="utf-8")
    print(given.out)


if __name__ == "__main__":
    main()
