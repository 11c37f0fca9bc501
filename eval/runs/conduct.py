"""An experiment from its first question to its manifest, whoever asks for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from core.records import Record, made_folder
from core.settings import Settings
from eval.datasets import Dataset
from eval.runs import manifest
from eval.runs.run import EXAMPLES, Job, check_own, jobs, spent
from eval.runs.systems import System
from graphs.tracing import traced

Answered = Callable[[list[Job]], Coroutine[Any, Any, dict[str, Record]]]


def conduct(
    dataset: Dataset,
    compared: Sequence[System],
    settings: Settings,
    seed: int,
    folder: Path,
    answered: Answered,
    **more: Any,
) -> dict[str, Record]:
    """Have every example answered by every system, or what is left of that; the lines, by name.

    The folder then holds an experiment, as ``eval.runs.experiment.read`` reads it. ``more`` goes into its manifest.
    """
    compared = [system.resting(settings) for system in compared]
    told = manifest.manifest(dataset, compared, settings, seed, **more)
    check_own(made_folder(folder), dataset.name)
    examples = "".join(example.model_dump_json() + "\n" for example in dataset.examples)
    (folder / EXAMPLES).write_text(examples, encoding="utf-8")
    started = time.perf_counter()
    with traced(settings):
        lines = asyncio.run(answered(jobs(dataset, compared)))
    manifest.write(folder, told, spent(lines.values()), time.perf_counter() - started)
    return lines
