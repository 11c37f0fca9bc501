"""Lists of graded answers: what of a question's answers says most of what is asked."""

from __future__ import annotations

import json
from pathlib import Path

from eval.training.graded import graded_lists
from eval.training.judged import judged_answers, kept
from eval.training.lists import write_lists
from eval.training.sections import shingles

LEARNT = next(q for q in (f"Is gout painful, {n}?" for n in range(100)) if not kept(q))
KEPT = next(q for q in (f"Is gout painful, {n}?" for n in range(100)) if kept(q))


def test_the_answers_of_a_question_are_one_list_and_kept_questions_stay_out(tmp_path: Path) -> None:
    grades = {(LEARNT, "Yes,\n\nvery."): 1.0, (KEPT, "Yes."): 1.0, (LEARNT, "Gout is old."): 0.0}
    made = graded_lists(grades)
    assert [[(pair.passage, pair.label, pair.title) for pair in one] for one in made] == [
        [("Yes, very.", 1.0, ""), ("Gout is old.", 0.0, "")]
    ]
    file = tmp_path / "graded.jsonl"
    assert write_lists(made, set(), file) == 2
    assert [json.loads(line)["list"] for line in file.read_text().splitlines()] == [0, 0]


def test_what_quotes_a_text_that_measures_is_left_out(tmp_path: Path) -> None:
    quoted = "Gout is a kind of arthritis that comes when uric acid builds up in the joints."
    made = graded_lists({(LEARNT, quoted): 1.0, (LEARNT, "Gout is old."): 0.0})
    file = tmp_path / "graded.jsonl"
    assert write_lists(made, shingles(quoted), file) == 1
    assert "Gout is old." in file.read_text()


def test_the_graded_answers_of_the_repository_can_be_learnt() -> None:
    made = graded_lists(judged_answers())
    assert len(made) > 1000
    assert all(0.0 <= pair.label <= 1.0 and pair.passage for one in made for pair in one)
