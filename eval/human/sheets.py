"""Rating sheets: a CSV a rater with the same answers in another order, and the key to who gave them."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import UsageError
from eval.human.schemes import Criterion, scheme
from eval.runs.experiment import Case, Experiment

KEY = "key.json"
TEXTS = ("item", "question", "context", "knowledge", "reference", "answer")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would compute a cell that begins like this."""


def write(experiment: Experiment, folder: Path, asked: str, examples: int, raters: int, seed: int) -> list[Path]:
    """Sheets for the answers of all systems to a sample of the examples; the key is for no rater's eyes.

    Only examples that every system has answered take part, so that systems are rated on the same ones.
    """
    criteria = scheme(asked)
    drawn = _drawn(experiment, examples, seed)
    hidden = random.Random(seed)
    codes = [f"{n:04}" for n in range(1, len(drawn) + 1)]
    hidden.shuffle(codes)
    items = [(code, system, case) for code, (system, case) in zip(codes, drawn, strict=True)]
    folder.mkdir(parents=True, exist_ok=True)
    key = {
        code: {"system": system, "example": case.example.id} for code, system, case in sorted(items, key=lambda i: i[0])
    }
    told = {"scheme": asked, "seed": seed, "experiment": experiment.name, "items": key}
    (folder / KEY).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return [
        _sheet(folder / f"rater-{n}.csv", items, criteria, random.Random(f"{seed} {n}")) for n in range(1, raters + 1)
    ]


def _drawn(experiment: Experiment, count: int, seed: int) -> list[tuple[str, Case]]:
    answered = {name: {c.example.id: c for c in cases if c.answered} for name, cases in experiment.systems.items()}
    common = [i for i in next(iter(answered.values()), {}) if all(i in own for own in answered.values())]
    if not common:
        raise UsageError(
            "no example has an answer of every system: rate an experiment whose systems answer the same ones"
        )
    chosen = random.Random(seed).sample(common, min(count, len(common)))
    return [(name, own[identifier]) for identifier in chosen for name, own in answered.items()]


def _sheet(
    file: Path, items: Sequence[tuple[str, str, Case]], criteria: Sequence[Criterion], order: random.Random
) -> Path:
    shown = list(items)
    order.shuffle(shown)
    with file.open("w", encoding="utf-8-sig", newline="") as sheet:  # the mark makes spreadsheets read UTF-8
        rows = csv.writer(sheet)
        rows.writerow([*TEXTS, *(criterion.heading for criterion in criteria)])
        for code, _, case in shown:
            rows.writerow([code, *map(_cell, _texts(case)), *("" for _ in criteria)])
    return file


def _texts(case: Case) -> Iterator[str]:
    example = case.example
    evidence = [piece["text"] for piece in case.line.get("evidence") or ()]
    options = [f"{letter}: {text}" for letter, text in example.options.items()]
    yield "\n".join([*map(str, example.history), example.question, *options])
    yield "\n\n".join(example.context or evidence)
    yield "\n".join(example.knowledge)
    yield "\n\n".join([*([example.gold] if example.gold else []), *example.reference])
    yield f"{case.choice}: {case.text}" if case.choice and example.task != "claim" else case.text


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
