"""What an experiment found, as a reader of its report sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.records import Record
from eval.datasets import Example
from eval.metrics import Scorers
from eval.reports.figures import figures
from eval.reports.grids import grids
from eval.reports.report import write
from eval.runs.experiment import Case, Experiment, read
from eval.runs.scoring import score_all
from tests.eval.experiments_made import choice, experiment, line


@pytest.fixture
def run(tmp_path: Path) -> Experiment:
    examples = [choice(n) for n in range(20)]
    good = [line("A", 0.1) for _ in examples]
    bad = [line("B" if n < 10 else "A" if n < 15 else None, 0.9 - n / 30) for n in range(20)]
    return experiment(tmp_path / "one", examples, {"good": good, "bad": bad})


def test_figures_are_strict_and_have_intervals(run: Experiment) -> None:
    good, bad = (figures(run.systems[name], 0) for name in ("good", "bad"))
    assert str(good["accuracy"]) == "1.000 [1.000, 1.000]"
    assert bad["accuracy"].value == 0.25
    assert bad["accuracy"].low < 0.25 < bad["accuracy"].high
    assert [bad["coverage"].value, bad["accuracy_answered"].value] == pytest.approx([0.75, 1 / 3])
    assert bad["risk_auc"].value == 1.0
    assert "hallucination_auc" not in good


def test_tables_show_subjects_differences_and_what_it_took(run: Experiment) -> None:
    shown = {grid.title: grid for grid in grids(run)}
    assert [row[:2] for row in shown["Accuracy by subject"].rows] == [("Heart", "10"), ("Skin", "10")]
    (difference,) = shown["Differences"].rows
    assert difference[:4] == ("bad less good", "accuracy", "20", "-0.750")
    assert float(difference[4]) < 0.01
    assert shown["What it took"].rows[0][:3] == ("good", "20", "0")
    assert (0, 1) in shown["Decisions and risk"].best


def test_a_system_that_could_not_be_asked_is_not_available(tmp_path: Path) -> None:
    failed: list[Record] = [{"error": {"type": "UsageError", "message": "no model"}}]
    made = experiment(tmp_path / "one", [Example(id="1", task="open", question="Why?")], {"vanilla": failed})
    assert figures(made.systems["vanilla"], 0) == {}
    assert next(iter(grids(made))).rows[0][1:4] == ("1", "1", "no model")


def test_the_page_needs_nothing_else_and_shows_what_went_wrong(run: Experiment, tmp_path: Path) -> None:
    page, text = write(run, tmp_path)
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") == 3
    assert "http" not in html.split("<body>")[1]
    assert "src=" not in html
    assert "It is &lt;gout&gt;." in html
    assert "Worst cases of bad" in html
    assert "bad against good" in html
    assert "| accuracy | **1.000 [1.000, 1.000]** | 0.250" in text.read_text(encoding="utf-8")


def test_two_runs_are_compared_case_by_case(run: Experiment, tmp_path: Path) -> None:
    other = experiment(tmp_path / "two", [choice(n) for n in range(20)], {"good": [line("B", 0.2) for _ in range(20)]})
    page, _ = write(other, tmp_path, run)
    assert "good (two) against good (one)" in page.read_text(encoding="utf-8")
    assert "0 gained, 20 lost" in page.read_text(encoding="utf-8")


def test_texts_are_scored_once_and_nmiss_stands_beside_its_base(tmp_path: Path) -> None:
    example = Example(
        id="1", task="open", question="What is gout?", reference=("Gout is a disease.",), context=("Gout hurts.",)
    )
    made = experiment(tmp_path / "one", [example], {"full": [line(None, 0.2, text="Gout hurts.", abstained=False)]})
    score_all(made, tmp_path / "one", ["rougeL_f1", "nmiss_rougeL_f1"], Scorers())
    (case,) = read(tmp_path / "one").systems["full"]
    assert (case.scores["nmiss_rougeL_f1"] or 0) > (case.scores["rougeL_f1"] or 0) > 0
    before = (tmp_path / "one" / "scores.jsonl").read_text()
    score_all(read(tmp_path / "one"), tmp_path / "one", ["rougeL_f1"], Scorers())
    assert (tmp_path / "one" / "scores.jsonl").read_text() == before
    titles = {grid.title for grid in grids(read(tmp_path / "one"))}
    assert "NMISS above its base metric" in titles


def test_a_stored_text_is_judged_by_its_risk() -> None:
    cases = [
        Case(Example(id=str(n), task="claim", claim="It is.", hallucinated=n < 5), line(None, 0.9 if n < 4 else 0.1))
        for n in range(10)
    ]
    cases = [Case(case.example, {**case.line, "abstained": False}) for case in cases]
    found = figures(cases, 0)
    assert found["hallucination_auc"].value == pytest.approx(0.9)
    assert (found["hallucination_precision"].value, found["hallucination_recall"].value) == (1.0, 0.8)
    assert found["length_auc"].value == 0.5


def test_a_folder_without_an_experiment_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="eval run"):
        read(tmp_path)
