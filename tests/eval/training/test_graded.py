"""Lists of graded answers: what of a question's answers says most of what is asked."""

from __future__ import annotations

import json

from eval.training.graded import graded_lists, lines
from eval.training.judged import judged_answers, kept

LEARNT = next(q for q in (f"Is gout painful, {n}?" for n in range(100)) if not kept(q))
KEPT = next(q for q in (f"Is gout painful, {n}?" for n in range(100)) if kept(q))


def test_the_answers_of_a_question_are_one_list_and_kept_questions_stay_out() -> None:
    grades = {(LEARNT, "Yes,\n\nvery."): 1.0, (KEPT, "Yes."): 1.0, (LEARNT, "Gout is old."): 0.0}
    made = graded_lists(grades)
    assert [[(pair.passage, pair.label, pair.title) for pair in one] for one in made] == [
        [("Yes, very.", 1.0, ""), ("Gout is old.", 0.0, "")]
    ]
    assert [json.loads(line)["list"] for line in lines(made)] == [0, 0]


def test_the_graded_answers_of_the_repository_can_be_learnt() -> None:
    made = graded_lists(judged_answers())
    assert len(made) > 1000
    assert all(0.0 <= pair.label <= 1.0 and pair.passage for one in made for pair in one)
