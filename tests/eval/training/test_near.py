"""Pairs of questions written for a passage: what it answers, and what it only seems to."""

from __future__ import annotations

import json
from pathlib import Path

from eval.training.judged import Near, kept, near
from eval.training.lists import write_lists
from eval.training.near import near_pairs
from eval.training.sections import shingles

LEARNT = [q for q in (f"does gout hurt, {n}?" for n in range(100)) if not kept(q)]
KEPT = next(q for q in (f"does gout hurt, {n}?" for n in range(100)) if kept(q))
GOUT = ("Gout", "Gout is a kind of arthritis that comes when uric acid builds up in the joints and hurts.")


def test_each_question_stands_beside_its_passage_and_kept_ones_stay_out(tmp_path: Path) -> None:
    written = [Near("library:a/1#0", [LEARNT[0], KEPT], [LEARNT[1]])]
    made = list(near_pairs(written, lambda _: GOUT))
    assert [(one.question, one.title, one.label) for (one,) in made] == [
        (LEARNT[0], "Gout", 1.0),
        (LEARNT[1], "Gout", 0.0),
    ]
    file = tmp_path / "near.jsonl"
    assert write_lists(made, set(), file) == 2
    assert [json.loads(line)["list"] for line in file.read_text().splitlines()] == [0, 1]
    assert write_lists(made, shingles(GOUT[1]), file) == 0


def test_the_passages_of_the_repository_have_as_many_questions_of_either_kind() -> None:
    written = near()
    assert len({one.passage for one in written}) == len(written) > 1000
    assert all(one.passage.startswith("library:") for one in written)
    assert all(len(one.answered) == len(one.missed) == 3 for one in written)
    questions = [question for one in written for question in (*one.answered, *one.missed)]
    assert len(set(questions)) > 0.99 * len(questions)
