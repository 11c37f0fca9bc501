"""Which option a reply chooses, as a person would read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.answer.letter import letter_of, yesno_of

DRUGS = {"A": "Metformin", "B": "Insulin glargine", "C": "C. difficile toxin", "D": "None of the above"}
LETTERS = "ABCD"


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ('{"step_by_step_thinking": "A is likely. B is not.", "answer_choice": "B"}', "B"),
        ('{"answer_choice": "B. Insulin glargine"}', "B"),
        ("{'answer': 'metformin lowers glucose', 'choice': 'B'}", "B"),
        ('{"reasoning": "Let us weigh each choice:", "answer_choice": "B"}', "B"),
        ("answer_choice: B", "B"),
        ('Step 1: weigh option A.\n"answer_choice": "A"', "A"),
        ("The answer is (C).", "C"),
        ("the correct answer is: **b**", "B"),
        ("Answer: D", "D"),
        ("Answer: d", "D"),
        ("**Final answer:** A", "A"),
        ("B: text", "B"),
        ("B. Insulin glargine", "B"),
        ("OPTION C", "C"),
        ("Option (A)", "A"),
        ("b", "B"),
        ("(D)", "D"),
        ("[A]", "A"),
        ("C, because the others are drugs.", "C"),
        ("metformin", "A"),
        ("Insulin glargine.", "B"),
        ("None of these", "D"),
        ("The best choice is therefore insulin glargine.", "B"),
        ("The answer is C. difficile toxin", "C"),
        ("Option A is incorrect, since it is oral. Option B is weak. Therefore the answer is C.", "C"),
        ("One might think the answer is A, but the answer is B.", "B"),
        ("Option A is not correct. Option B is the correct answer.", "B"),
        ("Metformin is oral.\nGlargine is injected.\nB", "B"),
        ("B\n\nGlargine is a long-acting insulin; A is taken by mouth.", "B"),
        ("I would choose B.", "B"),
        ("A patient with diabetes needs care. The answer is B.", "B"),
    ],
)
def test_reads_the_chosen_option(reply: str, letter: str) -> None:
    assert letter_of(reply, DRUGS) == letter


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "A patient with diabetes was admitted.",
        "The answer is a beta blocker.",
        "I do not know.",
        "The answer cannot be determined.",
        "The answer is not A.",
        "A or B",
        "A/B/C/D",
        "Answer: B and C",
        "A. Metformin, B. Insulin glargine",
        "A: incorrect. B: incorrect.",
        "A: an oral drug\nB: an injected drug\nC: a toxin",
        "Option A is correct. Option B is correct.",
        "E. something else",
        "Vitamin D is the most likely to help.",
        '{"answer_choice": "N/A"}',
        '{"answer_choice": ""}',
        '{"answer": "Insulin glargine is injected.", "choice": null}',
        '{"step_by_step_thinking": "The answer is B", "answer_choice": "Cannot be determined"}',
        "The response was filtered due to the prompt triggering a content policy. Please modify it.",
        "Both metformin and insulin glargine are used.",
    ],
)
def test_no_option_is_chosen(reply: str) -> None:
    assert letter_of(reply, DRUGS) is None


def test_letters_may_come_without_texts_and_may_be_numbers() -> None:
    assert letter_of("The answer is E.", "ABCDE") == "E"
    assert letter_of("The answer is E.", LETTERS) is None
    assert letter_of("Answer: 2", ("1", "2", "3")) == "2"


def test_an_options_own_letters_do_not_confuse() -> None:
    options = {"A": "vitamin A", "B": "both A and C", "C": "vitamin C"}
    assert letter_of("B. both A and C", options) == "B"
    assert letter_of("both A and C", options) == "B"


@given(st.text(max_size=200))
def test_whatever_is_read_is_an_option(reply: str) -> None:
    assert letter_of(reply, DRUGS) in {None, *DRUGS}
    assert yesno_of(reply) in {None, "yes", "no", "maybe"}


@given(st.sampled_from(LETTERS), st.sampled_from(["{}", "({})", "{}.", "Answer: {}", "The answer is {}.", "Option {}"]))
def test_every_letter_is_read_in_every_form(letter: str, form: str) -> None:
    assert letter_of(form.format(letter), LETTERS) == letter


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("yes", "yes"),
        ("Yes, it does.", "yes"),
        ("No.", "no"),
        ("No, it is not.", "no"),
        ("no because it was small", "no"),
        ("**Maybe**", "maybe"),
        ('{"answer": "maybe"}', "maybe"),
        ("The trial was small. The answer is yes.", "yes"),
        ("Answer: no", "no"),
        ("The trial was small.\nNo", "no"),
        ("No evidence supports this.", None),
        ("yes or no", None),
        ("Answer: yes/no", None),
        ("It depends.", None),
        ('{"answer": "unclear"}', None),
        ("", None),
    ],
)
def test_reads_yes_no_and_maybe(reply: str, said: str | None) -> None:
    assert yesno_of(reply) == said
