"""An experiment in its folder: ``results.jsonl`` gets a line for each example and system as soon as it is done.

A killed experiment goes on where it stopped; a line whose example or system says something else by now is done again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import InputError, UsageError
from core.records import Done, Output, Record, attempted, open_output, write_all
from core.schema import Usage
from eval.datasets import Dataset, Example
from eval.runs import manifest
from eval.runs.systems import System

RESULTS = "results.jsonl"
EXAMPLES = "examples.jsonl"


class Job(NamedTuple):
    """One example for one system."""

    example: Example
    system: System

    @property
    def name(self) -> str:
        """Which line of the results is its."""
        return f"{self.system.name} | {self.example.id}"

    @property
    def digest(self) -> str:
        """The same for the same example and system."""
        return hashlib.sha256(f"{self.example.digest} {self.system.model_dump_json()}".encode()).hexdigest()[:16]


Answer = Callable[[Job], Awaitable[Record]]


def jobs(dataset: Dataset, systems: Sequence[System]) -> list[Job]:
    """Every example for every system, example by example, so that a killed experiment compares what it has."""
    if len({system.name for system in systems}) < len(systems):
        raise UsageError("a system is named twice: name each method, model and set of parts once")
    return [Job(example, system) for example in dataset.examples for system in systems]


async def run(
    wanted: Sequence[Job], folder: Path, answer: Answer, at_once: int, advance: Done, *, retry_failed: bool = False
) -> dict[str, Record]:
    """Answer every job that the folder has no line for yet; its lines, by name.

    Raises:
        InputError, StoreBusy, StoreError: as ``core.records.open_output``.
    """
    with open_output(folder / RESULTS) as output:
        left = list(_left(wanted, output, retry_failed))
        for _ in range(len(wanted) - len(left)):
            advance()
        try:
            await write_all(output, left, lambda job: line(job, answer), at_once, advance)
        finally:
            output.settle()
        return {job.name: output.lines[job.name] for job in wanted}


def check_own(folder: Path, dataset: str) -> None:
    """InputError where a folder holds what no experiment has written, or an experiment on another set."""
    examples = folder / EXAMPLES
    try:
        for line in examples.read_text(encoding="utf-8").split("\n") if examples.exists() else ():
            if line.strip():
                Example.model_validate_json(line)
    except (ValueError, OSError) as error:
        raise InputError(f"{examples} is of no experiment: name another --out") from error
    if (folder / manifest.MANIFEST).exists():
        other = manifest.read(folder)["dataset"]["name"]
        if other != dataset:
            raise InputError(f"{folder} holds an experiment on {other}: name another --out")
    if (folder / RESULTS).exists():
        with open_output(folder / RESULTS):
            pass  # it looks at every line


def _left(wanted: Iterable[Job], output: Output, retry_failed: bool) -> Iterator[Job]:
    for job in wanted:
        line = output.lines.get(job.name)
        if line is None or line["record"] != job.digest or (retry_failed and "error" in line):
            yield job


async def line(job: Job, answer: Answer) -> Record:
    """The job's line: what came of it, or how it failed, which keeps no other job from its line."""
    own: Record = {"id": job.name, "record": job.digest, "system": job.system.name, "example": job.example.id}
    return await attempted(own, answer(job))


def spent(lines: Iterable[Record]) -> Usage:
    """What all of it consumed."""
    return sum((Usage.model_validate(line["usage"]) for line in lines if line.get("usage")), Usage())
