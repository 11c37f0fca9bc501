"""Jobs answered by the workers of a Dask scheduler, through the function that answers them in this process.

What travels is JSON of our own schema, and of Dask's own pickles nothing but a function's name: so the scheduler is
reached over TLS, or on this machine. A worker that is lost is replaced by another; what it had finished is written
already, what it had not is done again by one of the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import cast
from urllib.parse import urlsplit

from core.errors import SourceError, UsageError
from core.privacy.boundary import stays_here
from core.records import Record
from eval.datasets import Example
from eval.runs.local import Targets
from eval.runs.run import Answer, Job
from eval.runs.systems import System

AHEAD = 2
"""Jobs that wait at a worker for each of its threads, so that none is idle."""


@asynccontextmanager
async def answering_on(scheduler: str) -> AsyncIterator[tuple[Answer, int]]:
    """What answers jobs on the workers while the block runs, and how many are worked on together.

    Raises:
        UsageError: the address is neither of this machine nor over TLS.
        SourceError: no scheduler answers there, or it has no workers.
    """
    from distributed import Client, Security

    _check(scheduler)
    security = Security() if urlsplit(scheduler).scheme == "tls" else None  # type: ignore[no-untyped-call]  # Dask has no types
    try:
        client = await Client(  # type: ignore[no-untyped-call]  # Dask has no types
            scheduler, asynchronous=True, security=security, timeout=10, set_as_default=False
        )
    except (OSError, TimeoutError) as error:
        raise SourceError(
            f"no Dask scheduler answers at {scheduler} ({error}): start one, or leave out --scheduler"
        ) from error
    try:
        threads = sum((await client.nthreads()).values())
        if not threads:
            raise SourceError(f"the scheduler at {scheduler} has no workers: start dask worker {scheduler}")

        async def answer(job: Job) -> Record:
            sent = json.dumps([json.loads(part.model_dump_json()) for part in job])
            future = client.submit(answered, sent, key=f"{job.name} {job.digest}", pure=False)
            return cast("Record", json.loads(await future))

        yield answer, AHEAD * threads
    finally:
        await client.close()


def answered(sent: str) -> str:
    """One job as JSON, on a worker; its resources stay for the next one."""
    example, system = json.loads(sent)
    own = System.model_validate(system)
    target = _targets(os.getpid()).of(own)
    return json.dumps(target.resources.wait(target.run(Example.model_validate(example), own)))


@cache
def _targets(process: int) -> Targets:
    return Targets(lambda message: None)


def _check(scheduler: str) -> None:
    parts = urlsplit(scheduler)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise UsageError(f"--scheduler {scheduler!r}: give an address such as tls://host:8786")
    if parts.scheme == "tcp" and not stays_here(f"http://{parts.netloc}"):
        raise UsageError(f"--scheduler {scheduler}: beyond this machine only tls:// is used, since Dask sends pickles")
