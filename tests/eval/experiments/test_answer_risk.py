from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chains.answer_risk import Features
from core.errors import InputError
from core.schema import VerifiedAnswer
from eval.experiments.answer_risk_data import Marked, collected, judged
from eval.experiments.answer_risk_fit import NAMES, crossed, figures, fitted, matrix, told_of, worths
from eval.metrics.abstention import calibration_error
from eval.training.judged import ANSWERS, Judged, asked
from eval.training.judged import judged as judged_questions


def made(count: int, ceiling: float, seed: int = 0) -> list[Marked]:
    """Questions of which the likely ones are useful, but never more than ``ceiling`` of them."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=count)
    useful = (p > 0.5) & (rng.uniform(size=count) < ceiling)
    return [Marked(f"q{n}", Features(float(p[n]), 0.05, 0.0, 0.0), False, bool(useful[n])) for n in range(count)]


def test_no_more_is_told_than_was_found_of_the_surest() -> None:
    x, several, y = matrix(made(400, ceiling=0.7))
    p = crossed(x, several, y, seed=0)
    assert 0.6 < p.max() < 0.8
    assert calibration_error((y == 0).tolist(), (1 - p).tolist()) < 0.08
    assert "calibration error" in figures(p, y)


def test_what_is_told_keeps_the_order_of_worth() -> None:
    x, several, y = matrix(made(200, ceiling=0.9))
    weights, known = fitted(x, several, y, seed=0)
    worth = worths(x, weights)
    assert weights[NAMES.index("p_answers")] > 0
    assert all(weights[NAMES.index(name)] <= 0 for name in ("outside", "unknown", "lacking"))
    told = told_of(worth, several, known)[np.argsort(worth)]
    assert (np.diff(told) >= 0).all()


def test_a_piece_that_nobody_judged_marks_nothing(answer: VerifiedAnswer) -> None:
    one = judged(Judged("why?", {"library:a#0": ANSWERS, "library:b#0": ANSWERS - 1}))
    assert [one.useful(answer, piece) for piece in ("library:a#0", "library:b#0", "library:c#0")] == [True, False, None]


@pytest.fixture
def answer() -> VerifiedAnswer:
    return VerifiedAnswer(id="1", question="why?", text="", risk=1.0, abstained=True, engine="evidence-only")


def test_what_was_collected_is_read_back_without_what_nobody_judged(tmp_path: Path) -> None:
    file = tmp_path / "collected.jsonl"
    line = '{"question": "%s", "p_answers": 0.5, "outside": 0, "unknown": 0, "lacking": 0, '
    file.write_text(line % "a" + '"several": 0, "useful": null}\n' + line % "b" + '"several": 1, "useful": true}\n')
    assert [one.question for one in collected(file)] == ["b"]
    file.write_text("{}\n")
    with pytest.raises(InputError, match="collects"):
        collected(file)


def test_the_committed_questions_of_patients_are_judged_and_no_reader_learns_from_them() -> None:
    patients = asked()
    assert len(patients) > 250
    assert {grade for one in patients for grade in one.grades.values()} == {0, 1, 2, 3}
    assert not {one.question for one in patients} & {one.question for one in judged_questions()}
