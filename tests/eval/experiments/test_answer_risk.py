from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from chains.answer_risk import Features
from chains.said import Said
from core.errors import InputError
from core.schema import VerifiedAnswer
from eval.experiments.answer_risk_data import Marked, Part, collected, judged
from eval.experiments.answer_risk_fit import NAMES, crossed, figures, fitted, table, told_of, worths
from eval.metrics.abstention import calibration_error
from eval.training.judged import ANSWERS, Judged, asked
from eval.training.judged import judged as judged_questions


def made(count: int, ceiling: float, seed: int = 0) -> list[Marked]:
    """Questions of which the likely ones are useful, but never more than ``ceiling`` of them."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=count)
    useful = (p > 0.5) & (rng.uniform(size=count) < ceiling)
    parts = [(Part(Features(float(of), 0.05, 0.0, 0.0), Said(float(of), 0.5)),) for of in p]
    sure = Part(Features(1.0, 0.05, 0.0, 0.0), Said(1.0, 0.5))
    return [Marked(f"q{n}", (*parts[n], sure)[: 1 + n % 2], bool(useful[n])) for n in range(count)]


def test_no_more_is_told_than_was_found_of_the_surest() -> None:
    questions = table(made(400, ceiling=0.7))
    p = crossed(questions, seed=0)
    assert 0.6 < p.max() < 0.8
    assert calibration_error((questions.useful == 0).tolist(), (1 - p).tolist()) < 0.08
    assert "calibration error" in figures(p, questions.useful)


def test_what_is_told_keeps_the_order_of_the_part_that_is_answered_least() -> None:
    questions = table(made(200, ceiling=0.9))
    weights, known = fitted(questions, seed=0)
    assert weights[NAMES.index("p_answers")] > 0
    assert all(weights[NAMES.index(name)] <= 0 for name in ("outside", "unknown", "lacking"))
    least = np.minimum.reduceat(questions.x[:, NAMES.index("p_answers")], questions.starts)
    told = told_of(worths(questions.x, weights), questions, known)[np.argsort(least)]
    assert (np.diff(told) >= 0).all()


def test_a_piece_that_nobody_judged_marks_nothing(answer: VerifiedAnswer) -> None:
    one = judged(Judged("why?", {"library:a#0": ANSWERS, "library:b#0": ANSWERS - 1}))
    assert [one.useful(answer, piece) for piece in ("library:a#0", "library:b#0", "library:c#0")] == [True, False, None]


@pytest.fixture
def answer() -> VerifiedAnswer:
    return VerifiedAnswer(id="1", question="why?", text="", risk=1.0, abstained=True, engine="evidence-only")


def test_what_was_collected_is_read_back_without_what_nobody_judged(tmp_path: Path) -> None:
    file = tmp_path / "collected.jsonl"
    part = json.dumps({**Features(0.5, 0.0, 0.0, 0.0)._asdict(), **Said(1.0, 0.5)._asdict()})
    line = '{"question": "%s", "parts": [%s], "useful": %s, "answer": ""}\n'
    file.write_text(line % ("a", part, "null") + line % ("b", part, "true") + line % ("c", "", "false"))
    assert [one.question for one in collected(file)] == ["b"]
    file.write_text("{}\n")
    with pytest.raises(InputError, match="collects"):
        collected(file)


def test_the_committed_questions_of_patients_are_judged_and_no_reader_learns_from_them() -> None:
    patients = asked()
    assert len(patients) > 250
    assert {grade for one in patients for grade in one.grades.values()} == {0, 1, 2, 3}
    assert not {one.question for one in patients} & {one.question for one in judged_questions()}
