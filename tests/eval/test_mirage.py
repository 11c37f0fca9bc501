"""Recorded replies are scored strictly, beside the benchmark's lenient reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from eval.mirage import Reply, benchmark_letter, by_condition, disagreements, measure, read_replies

OPTIONS = {"A": "gout", "B": "lupus", "C": "measles", "D": "mumps"}


def reply(value: str, gold: str, dataset: str = "mmlu") -> Reply:
    return Reply(dataset, "model", "cot", json.dumps({"step": "", "answer_choice": value}), OPTIONS, gold)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ('{"answer_choice": "C"}', "C"),
        ('{"answer_choice": "D. mumps"}', "D"),
        ('{"answer_choice": "B/C"}', "B"),
        ('{"answer_choice": "C or D"}', "C"),
        ('{"answer_choice": "Cannot be determined"}', "A"),
        ("The response was filtered", "A"),
        ("", "A"),
    ],
)
def test_the_benchmark_reads_what_it_cannot_read_as_a(text: str, letter: str) -> None:
    assert benchmark_letter(text) == letter


def test_an_abstention_is_wrong_and_not_covered_where_the_benchmark_counts_it_right() -> None:
    figures = measure([reply("B", "B"), reply("C", "B"), reply("Cannot be determined", "A"), reply("B/C", "B")])
    assert (figures.strict, figures.coverage, figures.answered) == (0.25, 0.5, 0.5)
    assert (figures.benchmark, figures.majority) == (0.75, 0.75)


def test_figures_come_by_model_condition_and_set() -> None:
    replies = [reply("A", "A", "mmlu"), reply("B", "A", "medqa")]
    assert [(name, f.strict) for name, f in by_condition(replies)] == [
        (("model", "cot", "medqa"), 0.0),
        (("model", "cot", "mmlu"), 1.0),
    ]


def test_only_what_the_parsers_read_differently_disagrees() -> None:
    replies = [reply("A", "A"), reply("N/A", "A")]
    assert disagreements(replies) == replies[1:]


def test_reads_a_folder_and_names_a_reply_without_its_question(tmp_path: Path) -> None:
    for name in ("medmcqa", "medqa", "mmlu"):
        question = {"id": "1", "question": "?", "options": OPTIONS, "answer": "B"}
        (tmp_path / f"{name}_dev.jsonl").write_text(json.dumps(question) + "\n")
    line = {"dataset": "mmlu", "id": "1", "setting": "cot", "llm": "model", "raw": "B"}
    path = tmp_path / "recorded_gpt_predictions_dev.jsonl"
    path.write_text(json.dumps(line) + "\n")
    assert read_replies(tmp_path) == [Reply("mmlu", "model", "cot", "B", OPTIONS, "B")]
    path.write_text(json.dumps(line | {"id": "2"}) + "\n")
    with pytest.raises(InputError, match="line 1: no question '2'"):
        read_replies(tmp_path)


def test_a_folder_without_the_files_is_an_error_that_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give a folder with MIRAGE"):
        read_replies(tmp_path)
