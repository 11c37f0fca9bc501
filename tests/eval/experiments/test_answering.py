"""The reader of answers by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.experiments.answering import Outputs, figures
from eval.training.judged import PASSAGE, Pair

GRADES = {
    "what causes gout": {"urate": 3, "colchicine": 1},
    "how is gout treated": {"urate": 0, "colchicine": 2},
    "who won": {"urate": 0},
}
LISTS = [
    [Pair(question, "Gout", text, PASSAGE[grade]) for text, grade in grades.items()]
    for question, grades in GRADES.items()
]


def reads(right: bool) -> Outputs:
    def outputs(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        good = [("cause" in question) == ("urate" in text) and "gout" in question for question, text in pairs]
        return np.array([[1.0 if one == right else -1.0] for one in good], dtype=np.float32)

    return outputs


def test_a_reader_that_reads_and_one_that_reads_the_wrong_way_round() -> None:
    good = figures(LISTS, reads(True))
    assert good == {"questions": 3, "pairs": 5, "auc": 1.0, "answered": 2, "best answers": 1.0}
    bad = figures(LISTS, reads(False))
    assert bad["auc"] == bad["best answers"] == 0.0
