"""Experiments as a run leaves them in their folders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.records import Record
from core.settings import Settings
from eval.datasets import Dataset, Example
from eval.runs import manifest
from eval.runs.experiment import Experiment, read
from eval.runs.run import EXAMPLES, RESULTS, jobs, spent
from eval.runs.systems import System

SUBJECTS = ("Skin", "Heart")


def choice(number: int) -> Example:
    options = {"A": "gout", "B": "lupus"}
    subject = SUBJECTS[number % 2]
    return Example(
        id=str(number), task="choice", question=f"Which is {number}?", options=options, gold="A", subject=subject
    )


def line(choice: str | None, risk: float, **more: Any) -> Record:
    claim = {"text": "It is <gout>.", "span": [0, 10], "cited": []}
    verdict = {"claim": claim, "label": "supported", "risk": risk, "quotes": [{"evidence_id": "e", "text": "It is."}]}
    said = {"text": "It is <gout>.", "choice": choice, "abstained": choice is None, "risk": risk, "seconds": 0.5}
    return {**said, "verdicts": [verdict], "evidence": [{"id": "e", "text": "It is. Really."}], "usage": {}, **more}


def experiment(folder: Path, examples: Sequence[Example], told: dict[str, list[Record]]) -> Experiment:
    """An experiment as a run leaves it in its folder."""
    folder.mkdir()
    systems = [System(name=name) for name in told]
    data = Dataset("own", examples, "CC0", "0" * 64)
    lines = []
    for name, own in told.items():
        for job, made in zip([j for j in jobs(data, systems) if j.system.name == name], own, strict=True):
            lines.append({**made, "id": job.name, "record": job.digest, "system": name, "example": job.example.id})
    (folder / EXAMPLES).write_text("".join(e.model_dump_json() + "\n" for e in examples), encoding="utf-8")
    (folder / RESULTS).write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    manifest.write(folder, manifest.manifest(data, systems, Settings(), 0), spent(lines), 1.0)
    return read(folder)
