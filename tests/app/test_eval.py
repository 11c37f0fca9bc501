"""Experiments through the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.app.conftest import Medattest

RECORDS = (
    {
        "id": "treated",
        "question": "How is zorblax fever treated?",
        "context": "Zorblax fever is treated with glimepride tea.",
        "reference": "It is treated with glimepride tea.",
    },
    {
        "id": "stored",
        "question": "What does aspirin do?",
        "answer": "Aspirin raises the risk of stroke.",
        "context": "Aspirin lowers the risk of stroke.",
        "hallucinated": True,
    },
    {
        "id": "faithful",
        "question": "What does aspirin do?",
        "answer": "Aspirin lowers the risk of stroke.",
        "context": "Aspirin lowers the risk of stroke.",
        "hallucinated": False,
    },
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return file


def test_an_experiment_is_run_and_can_be_repeated(medattest: Medattest, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "experiment"
    ran = medattest("eval", "run", own, "--out", out, "--without", "expansion")
    assert ran.status == 0, ran.err
    lines = {line["id"]: line for line in map(json.loads, (out / "results.jsonl").read_text().splitlines())}
    assert "glimepride tea" in lines["full | treated"]["text"]
    assert lines["full − expansion | stored"]["risk"] > lines["full − expansion | faithful"]["risk"]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["dataset"]["examples"] == 3
    assert len(manifest["commit"]) >= 7
    again = medattest("eval", "run", own, "--out", out, "--without", "expansion")
    assert again.status == 0
    assert (out / "results.jsonl").read_text().count("\n") == 6


STORED = (
    {
        "id": "whole",
        "question": "What does aspirin do?",
        "answer": "Aspirin lowers the risk of stroke.",
        "reference": ["Aspirin lowers the risk of stroke.", "Stroke is rarer."],
        "context": ["Aspirin lowers the risk of stroke."],
    },
    {"id": "bare", "question": "What does aspirin do?", "answer": "It lowers the risk of stroke."},
    {"id": "withheld", "question": "What does aspirin do?", "answer": None, "reference": "It thins the blood."},
    {"id": "wrong", "question": "What does aspirin do?"},
)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    file = tmp_path / "stored.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in STORED), encoding="utf-8")
    return file


def test_stored_answers_are_scored_as_far_as_they_can_be(medattest: Medattest, stored: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    ran = medattest("eval", "metrics", stored, "--out", out)
    assert ran.status == 1  # one record has no answer at all
    assert "wrong: answer: Field required" in ran.err
    lines = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
    whole, bare, withheld = (lines[name]["metrics"] for name in ("whole", "bare", "withheld"))
    assert whole["rouge1_f1"] == whole["nmiss_rouge1_f1"] == whole["exact_match"] == 1.0
    assert whole["bertscore_f1"] == pytest.approx(1.0, abs=1e-3)
    assert set(whole) == set(bare) == set(withheld)
    assert bare["rouge1_f1"] is None
    assert (whole["claim_support_rate"], bare["claim_support_rate"]) == (1.0, None)  # nothing could support it
    assert withheld["rouge1_f1"] is None
    assert whole["perplexity"] is whole["feqa"] is None
    assert "| rouge1_f1 | 1.000 [1.000, 1.000] |" in ran.out
    assert "| perplexity | not available |" in ran.out
    assert "not available without a model (MEDATTEST_MODEL): feqa, questeval" in ran.err


def test_scores_that_stand_are_kept_and_other_metrics_go_elsewhere(
    medattest: Medattest, stored: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.jsonl"
    medattest("eval", "metrics", stored, "--out", out, "--metrics", "bleu4")
    before = out.read_bytes()
    assert "0 done now, 4 before" in medattest("eval", "metrics", stored, "--out", out, "--metrics", "bleu4").err
    assert out.read_bytes() == before
    other = medattest("eval", "metrics", stored, "--out", out, "--metrics", "texts")
    assert other.status == 2
    assert "other metrics" in other.err


def test_answers_whose_truth_is_known_tell_how_often_nmiss_is_above_its_base(
    medattest: Medattest, tmp_path: Path
) -> None:
    told = "Aspirin lowers the risk of stroke."
    records = [
        {"id": "1", "answer": told, "reference": "Stroke is rarer.", "context": told, "hallucinated": False, "risk": 0},
        {"id": "2", "answer": "Tea does.", "reference": "Stroke.", "context": told, "hallucinated": True, "risk": 1},
    ]
    file = tmp_path / "judged.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    ran = medattest("eval", "metrics", file, "--out", tmp_path / "out.jsonl", "--metrics", "rouge1_f1,nmiss_rouge1_f1")
    assert ran.status == 0, ran.err
    assert "| nmiss_rouge1_f1 | 100.0% |" in ran.out
    assert "| hallucination_auc | 1.000" in ran.out


def test_an_experiment_is_reported_compared_and_rated(medattest: Medattest, own: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for out, more in ((first, ()), (second, ("--without", "expansion"))):
        assert medattest("eval", "run", own, "--out", out, *more).status == 0
    ran = medattest("eval", "report", second, "--against", first)
    assert ran.status == 0, ran.err
    page = (second / "report.html").read_text(encoding="utf-8")
    assert "<script src" not in page
    assert "http-equiv" not in page
    assert "0 gained, 0 lost" in page
    assert "# " in (second / "report.md").read_text(encoding="utf-8")

    drawn = medattest("eval", "sheet", second, "--examples", "1", "--raters", "2")
    assert drawn.status == 0, drawn.err
    sheets = sorted((second / "sheets").glob("rater-*.csv"))
    assert [sheet.name for sheet in sheets] == ["rater-1.csv", "rater-2.csv"]
    for sheet in sheets:
        with sheet.open(encoding="utf-8-sig", newline="") as lines:
            (heading, *rows) = list(csv.reader(lines))
        fluency = next(place for place, name in enumerate(heading) if name.startswith("fluency"))
        filled = [[*row[:fluency], "4", *row[fluency + 1 :]] for row in rows]
        with sheet.open("w", encoding="utf-8-sig", newline="") as lines:
            csv.writer(lines).writerows([heading, *filled])
    rated = medattest("eval", "ratings", *sheets)
    assert rated.status == 0, rated.err
    assert rated.out.count("| fluency | 2 | 4.000 |") == 2, "two raters, of either system"
    again = medattest("eval", "sheet", second, "--examples", "1")
    assert again.status == 2
    assert "name another folder" in again.err
