"""Every preset runs, with the emulated model, and every cell of its table is a figure or “not available”."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.settings import Settings
from eval.presets.preset import names, preset
from eval.runs.systems import System
from tests.app.conftest import Medattest, medattest
from tests.emulators.models import good
from tests.emulators.openai import playing_model

__all__ = ["medattest"]
ITEMS = 10
"""Each system has to answer as many; more make no other cell."""
LEVELS = ("low", "middle", "high")
NAMES = [
    first + last
    for last in ("blax", "intle", "vane", "bin")
    for first in "Zor Qu Mar Tol Fer Ob Pel Wex Yar Um".split()
]
"""Enough for so many questions after a 7:3 split."""


def question(n: int) -> dict[str, Any]:
    name = NAMES[n]
    text = f"{name} fever is treated with glimepride tea in people with dementia."
    base = {"id": str(n), "question": f"How is {name} fever treated in dementia?", "context": [text]}
    return {**base, "reference": f"{name} fever is treated with tea.", "level": LEVELS[n % 3]}


def records(name: str) -> list[dict[str, Any]]:
    questions = [question(n) for n in range(len(NAMES))]
    if name.startswith("halo"):
        return [{**q, "options": {"A": "glimepride tea", "B": "rest alone"}, "gold": "A"} for q in questions]
    if name.startswith("imkdg"):
        said = {"role": "patient", "text": "I have had a fever for a week."}, {"role": "doctor", "text": "Since when?"}
        return [{**q, "history": said} for q in questions]
    if name == "graph-tau":
        stored = ("Marfan syndrome goes with scoliosis.", "Gout goes with scoliosis.") * (ITEMS // 2)
        return [
            {
                "id": str(n),
                "question": "Why?",
                "answer": text,
                "context": "Scoliosis and arthritis.",
                "hallucinated": text.startswith("Gout"),
            }
            for n, text in enumerate(stored)
        ]
    return questions


@pytest.mark.parametrize("name", names())
def test_a_preset_gives_its_table(
    name: str, medattest: Medattest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records(name)), encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setenv("MEDATTEST_MODEL_CACHE", "false")
    monkeypatch.setenv("MEDATTEST_THREADS", "1")  # threads that wait for each other cost more than they give
    out = tmp_path / "out"
    with playing_model(good) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        given = ("eval", "run", file, "--preset", name, "--model", "openai:emulated", "--limit", ITEMS, "--out", out)
        ran = medattest(*given)
    assert ran.status == 0, ran.err
    head, _, *rows = (line for line in (out / "preset.md").read_text(encoding="utf-8").splitlines() if "|" in line)
    wanted = preset(name)
    columns = [cell.strip() for cell in head.strip("|").split("|")][1:]
    assert tuple(columns) == wanted.columns
    assert len(rows) == (54 if wanted.sweep else len(wanted.rows))
    cells = [cell.strip() for row in rows for cell in row.strip("|").split("|")[1:]]
    assert all(cell == "not available" or re.match(r"\d", cell) for cell in cells), cells
    measured = [cell for cell in cells if cell != "not available"]
    assert bool(measured) != bool(wanted.sheets), cells
    if wanted.sheets and "no sheets for raters" not in ran.err:  # certified: there are no certified texts here
        with (out / "sheets" / "rater-1.csv").open(encoding="utf-8-sig", newline="") as sheet:
            assert len(list(csv.DictReader(sheet))) == ITEMS * len(wanted.rows)


@pytest.mark.parametrize("name", names())
def test_a_presets_settings_are_settings(name: str) -> None:
    for system in preset(name).systems([], None):
        assert isinstance(system, System)
        assert set(system.overrides) <= set(Settings.model_fields)
