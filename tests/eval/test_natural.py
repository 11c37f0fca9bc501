"""What an answer is worth, and which questions count."""

from __future__ import annotations

import pytest

from core.schema import VerifiedAnswer
from eval.natural import Asked, Mark, Natural, figures, mark

MUST = (("colchicine", "nsaid"), ("ice",))


def answer(text: str) -> VerifiedAnswer:
    return VerifiedAnswer(
        id="1",
        question="how is gout treated",
        text=text or "I cannot say",
        abstained=not text,
        risk=0.2,
        engine="evidence-only",
    )


def question(must: tuple[tuple[str, ...], ...] | None) -> Natural:
    return Natural("1", "how is gout treated", "plain", must)


@pytest.mark.parametrize(
    ("must", "text", "expected"),
    [
        (MUST, "Ice and NSAIDs help.", "useful"),
        (MUST, "NSAIDs help.", "beside"),
        (MUST, "", "withheld"),
        (None, "Ice helps.", "answered"),
        (None, "", "withheld"),
        ((), "Ice helps.", "unjudged"),
    ],
)
def test_an_answer_is_useful_where_each_group_finds_something(
    must: tuple[tuple[str, ...], ...] | None, text: str, expected: Mark
) -> None:
    assert mark(question(must), answer(text)) == expected


def test_what_nobody_can_judge_counts_neither_way() -> None:
    asked = [
        Asked(question(must), answer(text), mark(question(must), answer(text)), 1.0)
        for must, text in ((MUST, "Ice and NSAIDs."), (MUST, ""), ((), "Rest."), ((), ""), (None, "Rest."))
    ]
    found = figures(asked)
    assert (found["useful"], found["beside"], found["withheld"]) == (0.5, 0.0, 0.5)
    assert found["unanswerable answered"] == 1.0
