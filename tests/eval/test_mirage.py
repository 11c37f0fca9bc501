"""Recorded replies are scored strictly, beside the benchmark's lenient reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from eval.datasets import Example
from eval.datasets.recorded import REPLIES, Reply, recorded
from eval.mirage import benchmark_letter, disagreements, grid

OPTIONS = {"A": "gout", "B": "lupus", "C": "measles", "D": "mumps"}


def reply(value: str, gold: str, dataset: str = "mmlu") -> Reply:
    example = Example(id=f"{dataset}/1", task="choice", question="?", options=OPTIONS, gold=gold)
    return Reply(example, "model", "cot", json.dumps({"step": "", "answer_choice": value}))


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


def figures(row: tuple[str, ...]) -> list[float]:
    return [float(cell.partition(" ")[0]) for cell in row[4:]]


def test_an_abstention_is_wrong_and_not_covered_where_the_benchmark_counts_it_right() -> None:
    (row,) = grid([reply("B", "B"), reply("C", "B"), reply("Cannot be determined", "A"), reply("B/C", "B")]).rows
    accuracy, coverage, answered, benchmark, majority = figures(row)
    assert (accuracy, coverage, answered) == (0.25, 0.5, 0.5)
    assert (benchmark, majority) == (0.75, 0.75)


def test_figures_come_by_model_condition_and_set() -> None:
    rows = grid([reply("A", "A", "mmlu"), reply("B", "A", "medqa")]).rows
    assert [(*row[:4], figures(row)[0]) for row in rows] == [
        ("model", "cot", "medqa", "1", 0.0),
        ("model", "cot", "mmlu", "1", 1.0),
    ]


def test_only_what_the_parsers_read_differently_disagrees() -> None:
    replies = [reply("A", "A"), reply("N/A", "A")]
    assert disagreements(replies) == replies[1:]


def test_reads_a_folder_and_names_a_reply_without_its_question(tmp_path: Path) -> None:
    question = {"id": "1", "question": "?", "options": OPTIONS, "answer": "B"}
    (tmp_path / "mmlu_dev.jsonl").write_text(json.dumps(question) + "\n")
    line = {"dataset": "mmlu", "id": "1", "setting": "cot", "llm": "model", "raw": "B"}
    path = tmp_path / REPLIES
    path.write_text(json.dumps(line) + "\n")
    (found,) = recorded(tmp_path)
    assert (found.dataset, found.model, found.condition, found.text) == ("mmlu", "model", "cot", "B")
    assert (found.example.gold, found.example.options) == ("B", OPTIONS)
    path.write_text(json.dumps(line | {"id": "2"}) + "\n")
    with pytest.raises(InputError, match="line 1: there is no question 'mmlu/2'"):
        list(recorded(tmp_path))


def test_a_folder_without_the_files_is_an_error_that_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names the folder of MIRAGE"):
        list(recorded(tmp_path))
