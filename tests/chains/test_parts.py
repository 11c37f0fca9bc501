from __future__ import annotations

import pytest

from chains.parts import asking
from chains.understand import understand
from core.schema import Concept, Mention


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is gout?", ("What is gout?",)),
        (
            "what is rosacea and can it be cured",
            ("what is rosacea", "can it be cured"),
        ),
        ("My knee was hurt on Monday. What can I do about it?", ("What can I do about it?",)),
        ("lipitor - how do statins work", ("lipitor - how do statins work",)),
        ("gout diet", ("gout diet",)),
        ("my toddler pulls at his ear and has a fever", ("my toddler pulls at his ear and has a fever",)),
        ("psoriasis - is it catching?", ("Is psoriasis catching?",)),
        ("Okay, what would it look like?", ("what would it look like?",)),
        ("ok thanks, will it spread", ("will it spread",)),
        ("do statins help? which side effects do they have", ("do statins help?", "which side effects do they have")),
        ("i was told it is gout lol. how did i get it", ("how did i get it",)),
    ],
)
def test_a_text_asks_its_questions(text: str, questions: tuple[str, ...]) -> None:
    assert asking(text).questions == questions


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("Strep is contagious correct?", "Is strep contagious?"),
        ("So MS is not curable, is that right?", "Is MS not curable?"),
        ("Is gout hereditary, right?", "Is gout hereditary, right?"),
        ("my husband snores, right?", "my husband snores, right?"),
        ("Strep throat is contagious?", "Is strep throat contagious?"),
        ("anyone can get shingles?", "Can anyone get shingles?"),
        ("My cough is worse at night?", "My cough is worse at night?"),
        ("How contagious is flu?", "How contagious is flu?"),
        ("Normal blood pressure is what?", "Normal blood pressure is what?"),
        ("Gout is hereditary.", "Gout is hereditary."),
        ("So its bronchitis?", "Is it bronchitis?"),
        ("so if it lasts a week, it could be a sinus infection?", "Is it a sinus infection?"),
        ("So is this pink eye or something else?", "So is this pink eye?"),
    ],
)
def test_a_statement_to_be_confirmed_is_a_question(typed: str, asked: str) -> None:
    assert asking(typed).questions == (asked,)


def disease(name: str, text: str) -> Mention:
    start = text.index(name)
    return Mention(concept=Concept(id=name, name=name, group="DISO"), start=start, end=start + len(name), text=name)


def test_each_question_stands_alone() -> None:
    def link(text: str) -> list[Mention]:
        start = text.find("gout")
        concept = Concept(id="C1", name="Gout", group="DISO")
        return [Mention(concept=concept, start=start, end=start + 4, text="gout")] if start >= 0 else []

    told = understand("My uncle was told he has gout last week. Is it inherited?", link)
    assert [part.text for part in told.questions] == ["Is gout inherited?"]
    double = understand("what is gout and how do they treat it", link)
    assert [part.text for part in double.questions] == ["what is gout", "How do they treat gout?"]


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("My friend got a pacemaker. What does it do?", "What does pacemaker do?"),
        ("I have got ringing in my ears. Will it go away?", "Will ringing in my ears go away?"),
        ("What is eczema? what can i do", "What can I do about eczema?"),
        ("What are polyps, do they turn to cancer", "Do polyps turn to cancer?"),
        ("What causes warts and how do I keep from getting another one?", "How do I keep from getting warts?"),
        ("My son has gout. can he drink beer", "Can he drink beer with gout?"),
        ("i have gout, is there a cure", "Is there a cure for gout?"),
    ],
)
def test_what_a_question_leans_on_stands_in_it(text: str, alone: str) -> None:
    assert understand(text).questions[-1].text == alone


def test_a_question_that_says_much_itself_is_not_told_of_what_else() -> None:
    text = "My skin burns easily. What should I be looking for in a mole that's turning bad?"
    burn = disease("burns", text)
    assert (
        understand(text, lambda _: [burn]).questions[-1].text
        == "What should I be looking for in a mole that's turning bad?"
    )


def test_what_is_compared_is_the_subject() -> None:
    understanding = understand("difference between a cold and the flu?")
    assert understanding.subject == "a cold and the flu"
    assert [part.subject for part in understanding.questions] == ["a cold and the flu", "cold", "flu"]


def test_a_plain_question_has_no_parts() -> None:
    assert understand("What are the symptoms of gout?").parts == ()
