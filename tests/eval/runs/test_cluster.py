"""Workers of a Dask scheduler answer as this process does, also when one of them is killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from core.errors import SourceError, UsageError
from eval.datasets import Dataset, Example
from eval.runs.cluster import answering_on
from eval.runs.local import answering
from eval.runs.run import jobs, run
from eval.runs.systems import System

pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own, when workers come and go


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, model_home: Path) -> Iterator[LocalCluster]:
    monkeypatch.setenv("MEDATTEST_HOME", str(model_home))
    made = LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)  # type: ignore[no-untyped-call]  # Dask has no types
    with made:
        yield made


def dataset(count: int) -> Dataset:
    examples = [
        Example(
            id=str(n),
            task="open",
            question=f"How is zorb{n} fever treated?",
            context=(f"Zorb{n} fever is treated with tea.",),
        )
        for n in range(count)
    ]
    return Dataset("own", examples, "CC0", "0")


def test_a_worker_killed_in_the_middle_loses_and_repeats_nothing(cluster: LocalCluster, tmp_path: Path) -> None:
    wanted = jobs(dataset(12), [System(name="full")])
    workers = [info["id"] for info in cluster.scheduler_info["workers"].values()]
    assert len(workers) == 2
    done: list[int] = []

    def advance() -> None:
        done.append(1)
        if len(done) == 2:
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

    async def on_workers() -> None:
        async with answering_on(cluster.scheduler_address) as (answer, at_once):
            await run(wanted, tmp_path, answer, at_once, advance)

    async def here() -> dict[str, str]:
        async with answering(lambda message: None) as answer:
            return {job.name: (await answer(job))["text"] for job in wanted[:2]}

    asyncio.run(on_workers())
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert sorted(line["id"] for line in lines) == sorted(job.name for job in wanted)
    assert not [line for line in lines if "error" in line]
    texts = {line["id"]: line["text"] for line in lines}
    assert asyncio.run(here()).items() <= texts.items()


@pytest.mark.parametrize(
    ("address", "error", "says"),
    [
        ("tcp://10.1.2.3:8786", UsageError, "tls://"),
        ("nonsense", UsageError, "address such as"),
        ("tcp://127.0.0.1:1", SourceError, "no Dask scheduler answers"),
    ],
)
def test_an_address_that_will_not_do_is_told(address: str, error: type[Exception], says: str) -> None:
    async def ask() -> None:
        async with answering_on(address):
            pass

    with pytest.raises(error, match=says):
        asyncio.run(ask())
