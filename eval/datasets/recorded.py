"""Replies that models gave to the questions of a set, recorded by others: MIRAGE's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from eval.datasets.example import Example
from eval.datasets.files import rows
from eval.datasets.load import load

REPLIES = "recorded_gpt_predictions_dev.jsonl"


@dataclass(frozen=True)
class Reply:
    """What one model said to one question under one condition."""

    example: Example
    model: str
    condition: str
    text: str

    @property
    def dataset(self) -> str:
        """Which of MIRAGE's sets the question is of."""
        return self.example.id.partition("/")[0]


def recorded(folder: Path) -> Iterator[Reply]:
    """MIRAGE's recorded replies with their questions; InputError, with the line, for one that has none."""
    questions = {example.id: example for example in load("mirage", folder).examples}
    for number, row in enumerate(rows(folder / REPLIES), start=1):
        asked = f"{row['dataset']}/{row['id']}"
        if asked not in questions:
            raise InputError(
                f"{folder / REPLIES}, line {number}: there is no question {asked!r} beside it: "
                "give the folder with the questions that were replied to"
            )
        yield Reply(questions[asked], row["llm"], row["setting"], row["raw"])
