from __future__ import annotations

import numpy as np

from eval.experiments.sentence_fit import MODELS, Passage, best_grades, crossed, fitted


def made(count: int) -> list[Passage]:
    """Passages whose answering sentence reads best, whatever their level: one is high all over, another low."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(count):
        level, size = rng.normal(scale=5), int(rng.integers(3, 7))
        grades = [0] * size
        grades[int(rng.integers(size))] = 2
        signals = [
            {
                "similar": float(rng.uniform()),
                "opens": 0.0,
                "known": 0.0,
                "read": level + grade + float(rng.normal(scale=0.5)),
            }
            for grade in grades
        ]
        rows.append(Passage(signals, grades))
    return rows


def test_the_choice_within_a_passage_is_learnt_whatever_the_passages_level() -> None:
    rows, names = made(120), MODELS["sentence"]
    model = fitted(rows, names)
    assert model["read"] > model["opens"] >= 0
    assert best_grades(rows, model).count(2) > 100
    shares = crossed(rows, names)
    assert shares["answers"] > 0.85 > 0.15 > shares["pads"]
