"""Short texts that somebody gives, through the whole program."""

from __future__ import annotations

import asyncio

from core.settings import Settings
from eval.experiments.given import Told, figures, measured
from eval.training.judged import Pair
from graphs.resources import Resources


def test_what_is_told_is_counted_as_right_wrong_or_withheld() -> None:
    whole = [Told(0.1, True), Told(0.2, False), Told(0.5, None), Told(0.3, True)]
    found = figures(whole, [Told(0.6, None), Told(0.15, False)])
    assert (found["right"], found["wrong"]) == (0.5, 0.25)
    assert (found["withheld"], found["answered without what answers"]) == (0.25, 0.5)
    assert found["auc"] == 5 / 8


def test_a_question_is_asked_of_its_texts_with_and_without_the_one_that_answers(settings: Settings) -> None:
    texts = {"Gout is caused by crystals of uric acid in the joints.": 1.0, "Bread is baked at noon.": 0.0}
    resources = Resources(settings)
    found = asyncio.run(measured([[Pair("What causes gout?", "", text, to) for text, to in texts.items()]], resources))
    resources.close()
    assert (found["right"], found["wrong"], found["answered without what answers"]) == (1.0, 0.0, 0.0)
