"""Answers that pass by what a question narrows its subject to."""

from __future__ import annotations

import pytest

from chains.narrowed import of_a_kind, passed_by, turned_round


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
        ("side effects of ibuprofen", "Opioids can have serious side effects.", True),
        ("someone can just all of a sudden develop psoriasis?", "People with these genes are more likely to.", True),
        ("can someone suddenly develop gout?", "Gout attacks come on suddenly.", False),
        ("is hepatitis C curable", "Most people with hepatitis A get well.", True),
    ],
)
def test_an_answer_speaks_of_whom_and_what_was_asked(question: str, text: str, passed: bool) -> None:
    assert passed_by(question, text) is passed


@pytest.mark.parametrize(
    ("question", "subject", "text", "kind"),
    [
        ("does hepatitis go away by itself?", "hepatitis", "Acute viral hepatitis often goes away on its own.", True),
        ("does acute hepatitis go away?", "hepatitis", "Acute viral hepatitis often goes away on its own.", False),
        ("do hernias need surgery?", "hernias", "Some hernias need surgery.", True),
        ("can leukemia be cured?", "leukemia", "Some people with acute leukemia can be cured.", False),
        ("is gout painful?", "gout", "Gout is painful. Chronic gout is too.", False),
        ("is it painful?", "", "Chronic gout is painful.", False),
        ("is gout painful?", "gout", "It is painful.", False),
    ],
)
def test_what_holds_of_a_kind_is_told_as_such(question: str, subject: str, text: str, kind: bool) -> None:
    assert of_a_kind(question, subject, text) is kind


@pytest.mark.parametrize(
    ("question", "text", "turned"),
    [
        ("does infertility cause endometriosis?", "The main symptoms of endometriosis are: - Infertility", True),
        ("does endometriosis cause infertility?", "The main symptoms of endometriosis are: - Infertility", False),
        ("does gout cause pain?", "Gout causes pain. Symptoms of pain vary.", False),
        ("is gout painful?", "The symptoms of gout are: - Pain", False),
    ],
)
def test_a_list_of_signs_is_no_answer_whether_one_of_them_is_the_cause(question: str, text: str, turned: bool) -> None:
    assert turned_round(question, text) is turned
