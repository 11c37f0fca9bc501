"""Rating sheets: a CSV a rater with the same answers in another order, and the key to who gave them."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.errors import UsageError
from core.records import made_folder
from eval.human.schemes import Criterion, scheme
from eval.runs.experiment import Case, Experiment

KEY = "key.json"
TEXTS = ("item", "question", "context", "knowledge", "reference", "answer")
csv.field_size_limit(2**24)  # a cell may hold all the evidence that an answer was made of
_KNOWLEDGE = "knowledge:"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would compute a cell that begins like this."""


def write(experiment: Experiment, folder: Path, asked: str, examples: int, raters: int, seed: int) -> list[Path]:
    """Sheets for the answers of all systems to a sample of the examples; the key is for no rater's eyes.

    Only examples that every system has answered take part, so that systems are rated on the same ones. Nothing that
    stands there and says something else is written over: it may be filled in, or the key to sheets that are.
    """
    criteria = scheme(asked)
    drawn = _drawn(experiment, examples, seed)
    hidden = random.Random(seed)
    codes = [f"{n:04}" for n in range(1, len(drawn) + 1)]
    hidden.shuffle(codes)
    items = [(code, system, case) for code, (system, case) in zip(codes, drawn, strict=True)]
    key = {
        code: {"system": system, "example": case.example.id} for code, system, case in sorted(items, key=lambda i: i[0])
    }
    told = {"scheme": asked, "seed": seed, "experiment": experiment.name, "items": key}
    shown = _shown(experiment)
    written = {folder / KEY: (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()}
    for n in range(1, raters + 1):
        written[folder / f"rater-{n}.csv"] = _sheet(items, criteria, shown, random.Random(f"{seed} {n}"))
    if others := [file.name for file, own in written.items() if file.exists() and file.read_bytes() != own]:
        raise UsageError(f"{folder} has sheets already, {others[0]} among them: name another folder with --out")
    made_folder(folder)
    for file, own in written.items():
        file.write_bytes(own)
    return [file for file in written if file.name != KEY]


def _shown(experiment: Experiment) -> Mapping[str, Mapping[str, str]]:
    """For each example all that any system was shown, by id: what one alone was shown would tell which it is."""
    shown: dict[str, dict[str, str]] = {}
    for cases in experiment.systems.values():
        for case in cases:
            found = {piece["id"]: piece["text"] for piece in case.line.get("evidence") or ()}
            shown.setdefault(case.example.id, {}).update(found)
    return shown


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
    items: Sequence[tuple[str, str, Case]],
    criteria: Sequence[Criterion],
    evidence: Mapping[str, Mapping[str, str]],
    order: random.Random,
) -> bytes:
    shown = list(items)
    order.shuffle(shown)
    sheet = io.StringIO(newline="")
    rows = csv.writer(sheet)
    rows.writerow([*TEXTS, *(criterion.heading for criterion in criteria)])
    for code, _, case in shown:
        texts = _texts(case, evidence.get(case.example.id, {}))
        rows.writerow([code, *map(_cell, texts), *("" for _ in criteria)])
    return sheet.getvalue().encode("utf-8-sig")  # the mark makes spreadsheets read UTF-8


def _texts(case: Case, evidence: Mapping[str, str]) -> Iterator[str]:
    example = case.example
    known = {text: None for piece, text in sorted(evidence.items()) if piece.startswith(_KNOWLEDGE)}
    read = {text: None for piece, text in sorted(evidence.items()) if not piece.startswith(_KNOWLEDGE)}
    options = [f"{letter}: {text}" for letter, text in example.options.items()]
    yield "\n".join([*map(str, example.history), example.question, *options])
    yield "\n\n".join(example.context or read)
    yield "\n".join(dict.fromkeys((*example.knowledge, *known)))
    yield "\n\n".join([*([example.gold] if example.gold else []), *example.reference])
    yield f"{case.choice}: {case.text}" if case.choice and example.task != "claim" else case.text


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
