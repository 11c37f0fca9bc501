"""What an experiment found, as a reader of its report sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from core.errors import InputError
from core.records import Record
from core.schema import Concept, Mention
from eval.datasets import Example
from eval.metrics import Scorers
from eval.metrics.scorers import TokenVectors
from eval.reports.figures import figures
from eval.reports.grids import differences, grids
from eval.reports.plots import plots
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


def _capitals(text: str) -> list[Mention]:
    words = [word.strip(".?") for word in text.split() if word[0].isupper()]
    return [Mention(concept=Concept(id=w, name=w), start=0, end=1, text=w) for w in words if w != "Is"]


def scored_by(folder: Path, made: Experiment, names: list[str], by: Scorers) -> tuple[str, ...]:
    score_all(made, folder, names, by)
    return tuple((folder / "scores.jsonl").read_text().splitlines()) if (folder / "scores.jsonl").exists() else ()


def test_what_compares_with_no_reference_is_scored_without_one(tmp_path: Path) -> None:
    example = Example(id="1", task="open", question="Is Fever bad?", context=("Fever is bad.",))
    made = experiment(tmp_path / "one", [example], {"full": [line(None, 0.2, text="Fever.", abstained=False)]})
    assert scored_by(tmp_path / "one", made, ["rougeL_f1"], Scorers(link=_capitals)) == ()
    scored_by(tmp_path / "one", made, ["rougeL_f1", "entity_f1"], Scorers(link=_capitals))
    (case,) = read(tmp_path / "one").systems["full"]
    assert case.scores == {"entity_f1": 1.0}


def test_decisions_are_of_all_cases_whatever_was_scored(tmp_path: Path) -> None:
    examples = [choice(n).model_copy(update={"reference": ("gout",) if n < 2 else ()}) for n in range(8)]
    made = experiment(tmp_path / "one", examples, {"full": [line("A" if n < 2 else None, 0.2) for n in range(8)]})
    score_all(made, tmp_path / "one", ["accuracy", "rougeL_f1"], Scorers())
    found = figures(read(tmp_path / "one").systems["full"], 0)
    assert found["accuracy"].value == 0.25
    assert "rougeL_f1" in found


class _Vectors:
    """Every word's vector is made of the encoder's own number and the word's first letter."""

    def __init__(self, name: str) -> None:
        self.name = name

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        made = [[[len(self.name), ord(word[0]), 1.0] for word in text.split()] for text in texts]
        return [TokenVectors(np.asarray(own, dtype=np.float32), np.arange(len(own), dtype=np.int64)) for own in made]


def test_a_figure_of_another_encoder_is_made_anew_and_one_without_is_not_kept(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    example = Example(id="1", task="open", question="What is gout?", reference=("A disease.",))
    made = experiment(folder, [example], {"full": [line(None, 0.2, text="An arthritis.", abstained=False)]})
    none, one, other = Scorers(), Scorers(encoder=_Vectors("one")), Scorers(encoder=_Vectors("the other"))
    assert "embedding_average" not in "".join(scored_by(folder, made, ["embedding_average", "rougeL_f1"], none))
    first = scored_by(folder, read(folder), ["embedding_average", "rougeL_f1"], one)
    assert scored_by(folder, read(folder), ["embedding_average"], one) == first
    again = scored_by(folder, read(folder), ["embedding_average"], other)
    assert json.loads(again[-1])["by"] == {"embedding_average": "the other"}
    assert json.loads(again[-1])["metrics"].keys() == {"embedding_average", "rougeL_f1"}


def test_who_withholds_nearly_all_is_not_the_surest(tmp_path: Path) -> None:
    silent = [line("A", 0.1), *[line(None, 1.0) for _ in range(9)]]
    told = [line("A" if n < 8 else "B", 0.1 if n < 8 else 0.9) for n in range(10)]
    made = experiment(tmp_path / "one", [choice(n) for n in range(10)], {"silent": silent, "told": told})
    areas = {name: figures(cases, 0)["risk_coverage_area"].value for name, cases in made.systems.items()}
    assert areas["told"] < areas["silent"]
    (curve, *_) = plots(made)
    assert curve.series["told"].points[-1][0] == 1.0


def test_more_systems_than_colours_are_the_best_ones(tmp_path: Path) -> None:
    told = {f"s{n}": [line("A" if m >= n % 4 else "B", 0.2) for m in range(10)] for n in range(12)}
    (curve, *_) = plots(experiment(tmp_path / "one", [choice(n) for n in range(10)], told))
    assert len(curve.series) == 8
    assert {"s0", "s4", "s8"} <= set(curve.series)
    assert "8 of least area of 12" in curve.title


def test_runs_that_share_no_case_are_compared_by_welch(tmp_path: Path) -> None:
    first = [Case(choice(n), line("A" if n % 2 else "B", 0.2)) for n in range(10)]
    second = [Case(choice(n + 10), line("A" if n % 5 else "B", 0.2)) for n in range(10)]
    (grid,) = differences(Experiment("two", {"seed": 0}, {"a": first, "b": second}))
    assert grid.rows[0][:4] == ("b less a", "accuracy", "10 and 10", "+0.300")
    assert float(grid.rows[0][4]) == pytest.approx(
        stats.ttest_ind([1, 1, 1, 1, 0] * 2, [1, 0] * 5, equal_var=False)[1], abs=1e-4
    )


def test_nmiss_is_drawn_beside_the_risk(tmp_path: Path) -> None:
    example = Example(
        id="1", task="open", question="What is gout?", reference=("Gout is a disease.",), context=("Gout hurts.",)
    )
    made = experiment(tmp_path / "one", [example], {"full": [line(None, 0.2, text="Gout hurts.", abstained=False)]})
    score_all(made, tmp_path / "one", ["nmiss_rougeL_f1"], Scorers())
    drawn = {plot.title: plot for plot in plots(read(tmp_path / "one"))}["NMISS and hallucination"]
    ((across, up),) = drawn.series["full"].points
    assert (across > 0, up) == (True, 0.2)
