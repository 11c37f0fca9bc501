"""Jobs answered in this process, a set of resources for each of the settings that systems differ in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from core.errors import UsageError
from core.records import Record
from core.settings import load_settings
from eval.runs.banked import Banked
from eval.runs.run import Answer, Job
from eval.runs.systems import System
from eval.runs.target import Target
from graphs.resources import Resources


class Targets:
    """Targets by what their systems' settings are; each is made when it is first needed."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._made: dict[str, Target] = {}

    def of(self, system: System) -> Target:
        """The target of this system."""
        key = json.dumps([system.overrides, system.bank, system.configured], sort_keys=True, default=str)
        if key not in self._made:
            if system.configured and system.resting(load_settings()).configured != system.configured:
                raise UsageError(
                    "this worker is configured otherwise than who runs the experiment: "
                    "give both the same MEDATTEST_ variables and the same files"
                )
            settings = system.settings()
            own = (
                Banked(settings, Path(system.bank), self._progress)
                if system.bank
                else Resources(settings, self._progress)
            )
            self._made[key] = Target(own)
        return self._made[key]

    async def close(self) -> None:
        """Give back what the resources hold."""
        for target in self._made.values():
            await target.resources.services.close()
            target.resources.close()


@asynccontextmanager
async def answering(progress: Callable[[str], None]) -> AsyncIterator[Answer]:
    """What answers jobs while the block runs."""
    targets = Targets(progress)

    async def answer(job: Job) -> Record:
        return await targets.of(job.system).run(job.example, job.system)

    try:
        yield answer
    finally:
        await targets.close()
