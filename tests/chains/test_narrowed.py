"""Answers that pass by what a question narrows its subject to."""

from __future__ import annotations

import pytest

from chains.narrowed import passed_by


@pytest.mark.parametrize(
    ("question", "text", "passed"),
    [
        ("Can women get testicular cancer?", "You can get it at any age. It is most common in men.", True),
        ("can men get breast cancer?", "Men can get breast cancer too, although it is rare.", False),
        ("can men get breast cancer?", "It is the most common cancer among women.", True),
        ("Can women get hernias?", "Anyone can get one.", False),
        ("can teenagers get breast cancer", "It occurs most often between the ages of 32 and 38.", False),
        ("can adults get croup", "Croup is common in infants.", True),
        ("will my baby be a boy", "Acne is common.", False),
        ("does bacterial pneumonia go away by itself", "Viral pneumonia often goes away on its own.", True),
        ("does pneumonia go away by itself", "Viral pneumonia often goes away on its own.", False),
        ("is type 1 diabetes hereditary", "Type 2 diabetes runs in families.", True),
        ("is type 1 diabetes hereditary", "Both type 1 and type 2 diabetes may run in families.", False),
        ("is hepatitis C curable", "Most people with hepatitis A get well.", True),
    ],
)
def test_an_answer_speaks_of_whom_and_what_was_asked(question: str, text: str, passed: bool) -> None:
    assert passed_by(question, text) is passed
