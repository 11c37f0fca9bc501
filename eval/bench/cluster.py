"""Two workers of a Dask scheduler against one: how far from half the time.

Each worker has one thread and is held to a core of its own, since libraries within it would take what there is. It
answers questions of MedQuAD beside their own answers, some of them before the clock starts, so that nothing is loaded
while it runs. Linux alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.errors import InputError
from eval.datasets import Dataset, Example
from eval.runs.cluster import answering_on
from eval.runs.run import Job, jobs, run
from eval.runs.systems import System

WARMING = 4
"""Questions a worker before the clock starts."""


def asked(file: Path, count: int, seed: int) -> Dataset:
    """So many questions of MedQuAD with their answers, drawn; InputError where the file cannot be read."""
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        pairs = [(pair["question"], pair["answer"]) for record in records for pair in record["qa"]]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{file} cannot be read as MedQuAD's JSONL ({error!r}): name it with --data") from error
    drawn = [pairs[place] for place in np.random.default_rng(seed).permutation(len(pairs))[:count]]
    examples = [Example(id=str(n), task="open", question=q, context=(a,)) for n, (q, a) in enumerate(drawn)]
    return Dataset("medquad", examples, "CC BY 4.0", "0")


def seconds(workers: int, wanted: Sequence[Job], warming: Sequence[Job]) -> float:
    """What so many workers take for these jobs after they have done the others."""
    from distributed import LocalCluster

    made = LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)  # type: ignore[no-untyped-call]  # Dask has no types
    with made as cluster, tempfile.TemporaryDirectory() as folder:
        for core, worker in zip(sorted(os.sched_getaffinity(0)), cluster.workers.values(), strict=False):
            _hold(worker.pid, core)
        return asyncio.run(_timed(cluster.scheduler_address, wanted, warming, Path(folder)))


def _hold(process: int, core: int) -> None:
    for thread in Path(f"/proc/{process}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {core})


async def _timed(address: str, wanted: Sequence[Job], warming: Sequence[Job], folder: Path) -> float:
    async with answering_on(address) as (answer, at_once):
        await run(warming, folder, answer, at_once, lambda: None)
        began = time.perf_counter()
        await run(wanted, folder, answer, at_once, lambda: None)
        return time.perf_counter() - began


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Print the seconds of one worker and of two, and their ratio to half."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.cluster", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="MedQuAD's JSONL")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0, help="which questions")
    given = parser.parse_args(arguments)
    os.environ["MEDATTEST_THREADS"] = "1"
    warming = 2 * WARMING
    every = jobs(asked(given.data, given.questions + warming, given.seed), [System(name="full")])
    one, two = (seconds(count, every[warming:], every[:warming]) for count in (1, 2))
    print(
        f"{given.questions} questions, seed {given.seed}: one Dask worker {one:.1f} s, two {two:.1f} s: "
        f"{2 * two / one:.2f} of half the time"
    )
    return {"one": one, "two": two, "of half": 2 * two / one}


if __name__ == "__main__":
    main()
