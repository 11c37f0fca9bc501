"""What an experiment's folder holds: each example with what each system made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import InputError
from core.records import Record
from eval.datasets import Example
from eval.runs.manifest import read as read_manifest
from eval.runs.run import EXAMPLES, RESULTS

SCORES = "scores.jsonl"


@dataclass(frozen=True)
class Case:
    """One example and what one system made of it."""

    example: Example
    line: Record
    scores: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether nothing came of it but an error."""
        return "error" in self.line

    @property
    def answered(self) -> bool:
        """Whether the system gave an answer and, where something is to be chosen, chose."""
        return not (self.failed or self.line.get("abstained") or (self.example.gold is not None and not self.choice))

    @property
    def choice(self) -> str | None:
        """What it chose; nothing where it abstains."""
        return None if self.failed or self.line.get("abstained") else self.line.get("choice")

    @property
    def text(self) -> str:
        """What it said, or why it said nothing."""
        return str(self.line["error"]["message"] if self.failed else self.line.get("text") or "")

    @property
    def risk(self) -> float | None:
        """The risk beside the answer."""
        return None if self.failed else self.line.get("risk")

    @property
    def right(self) -> bool | None:
        """Whether the choice is the right one, which choosing nothing is not; None where nobody knows."""
        return None if self.example.gold is None else self.choice == self.example.gold

    @property
    def wrong(self) -> bool | None:
        """Whether what was said is wrong; None where nothing was said, or nobody knows."""
        if not self.answered:
            return None
        return self.example.hallucinated if self.right is None else not self.right


@dataclass(frozen=True)
class Experiment:
    """The cases of each system, and the manifest."""

    name: str
    manifest: Mapping[str, Any]
    systems: Mapping[str, Sequence[Case]]

    @property
    def seed(self) -> int:
        """Of every random choice."""
        return int(self.manifest["seed"])


def read(folder: Path) -> Experiment:
    """The experiment in a folder; InputError where there is none."""
    manifest = read_manifest(folder)
    try:
        examples = [Example.model_validate_json(line) for line in _lines(folder / EXAMPLES)]
        lines = {line["id"]: line for line in map(json.loads, _lines(folder / RESULTS))}
        scores_file = folder / SCORES
        scored = {s["id"]: s["metrics"] for s in map(json.loads, _lines(scores_file))} if scores_file.exists() else {}
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"{folder} holds no experiment ({error}): name a folder that eval run has written") from error
    names = [system["name"] for system in manifest["systems"]]
    systems = {
        name: [
            Case(example, lines[key], scored.get(key, {}))
            for example in examples
            if (key := f"{name} | {example.id}") in lines
        ]
        for name in names
    }
    return Experiment(folder.name, manifest, systems)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
