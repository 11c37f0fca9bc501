from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chains.answer.by_task import answerer
from chains.answer.given import AnswerInput
from chains.understand import understand
from core.schema import Concept, Draft, Evidence, Mention, Question
from core.text import words

VALTREX = "Valacyclovir is also known as Valtrex."


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Bags of letters: enough to tell like from unlike."""
    rows = np.array([[1.0 + text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts], np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def answer(question: Question, text: str, relevance: float = 0.9) -> Draft:
    evidence = Evidence(id="given:1", text=text, source="given")
    understanding = understand(question.question, options=question.options, task=question.task)
    given = AnswerInput(question, understanding, [evidence], {"given:1": relevance})
    return answerer(encode, lambda _: 0.8, 5, lambda _, units: [0.5] * len(units)).invoke(given).value


def linked(text: str) -> list[Mention]:
    """Two names of one substance, and one of another."""
    found = re.finditer(r"\b(valtrex|valacyclovir|acyclovir)\b", text, re.I)
    ids = {"acyclovir": "MESH:2"}
    return [
        Mention(
            concept=Concept(id=ids.get(m[0].lower(), "MESH:1"), name=m[0], group="CHEM"),
            start=m.start(),
            end=m.end(),
            text=m[0],
        )
        for m in found
    ]


def of_names(question: str) -> Draft:
    other = Evidence(id="knowledge:2", text="Valtrex and valacyclovir are told of elsewhere.", source="knowledge")
    own = Evidence(id="knowledge:1", text=VALTREX, source="knowledge", about=("MESH:1",))
    asked = AnswerInput(
        Question(question=question),
        understand(question, linked),
        [other, own],
        {"knowledge:1": 0.9, "knowledge:2": 0.9},
    )
    return answerer(encode, lambda _: 0.8, 5, lambda _, units: [0.5] * len(units)).invoke(asked).value


def test_an_open_question_gets_sentences_and_no_choice() -> None:
    draft = answer(Question(question="What is gout?"), "Gout is a painful disease of the joints.")
    assert (draft.text, draft.choice) == ("Gout is a painful disease of the joints.", None)


def test_a_question_for_a_yes_gets_one_with_the_sentence_that_says_so() -> None:
    draft = answer(Question(question="Does aspirin relieve pain?"), "Aspirin relieves pain.")
    assert draft.choice == "yes"
    assert draft.text == "Yes. Aspirin relieves pain."


def test_what_decides_nothing_is_a_maybe_with_what_is_said_of_the_subject() -> None:
    question = Question(question="Is gout inherited?", task="yesno")
    draft = answer(question, "Gout is a painful disease of the joints that comes in attacks.")
    assert draft.choice in (None, "maybe")
    assert draft.choice is None or draft.claims


def test_a_choice_names_the_option_that_the_evidence_speaks_for() -> None:
    question = Question(question="Which drug lowers uric acid in gout?", options={"A": "Insulin", "B": "Allopurinol"})
    draft = answer(question, "Allopurinol lowers uric acid in gout.")
    assert draft.choice == "B"
    assert draft.citations == ("given:1",)


def test_evidence_about_something_else_decides_nothing() -> None:
    draft = answer(Question(question="Does aspirin relieve pain?"), "Aspirin relieves pain.", relevance=0.01)
    assert (draft.text, draft.choice) == ("", None)


@pytest.mark.parametrize(
    ("question", "text", "choice"),
    [
        (
            Question(
                question="All of these drugs treat gout EXCEPT",
                options={"A": "Allopurinol", "B": "Insulin", "C": "Colchicine"},
            ),
            "Allopurinol is a drug that treats gout. The drug colchicine treats gout in its attacks.",
            "B",
        ),
        (
            Question(question="Does aspirin relieve pain?"),
            "Aspirin relieves pain. Aspirin is a drug that is used for pain.",
            "yes",
        ),
    ],
)
def test_an_answer_keeps_the_length_asked_for_whatever_its_task(question: Question, text: str, choice: str) -> None:
    whole = answer(question, text)
    most = len(words(whole.text)) - 1
    held = answer(question.model_copy(update={"max_words": most}), text)
    assert len(whole.claims) > 1
    assert (whole.choice, held.choice) == (choice, choice)
    assert len(words(held.text)) <= most
    assert whole.text.startswith(held.text)
    assert len(held.claims) == len(whole.claims) - 1


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is Valtrex the same thing as valacyclovir?", f"Yes. {VALTREX}"),
        ("Is valtrex a brand name for valacyclovir?", f"Yes. {VALTREX}"),
        ("Is Valtrex different from valacyclovir?", f"No. {VALTREX}"),
    ],
)
def test_two_names_of_one_thing_are_decided_by_the_sentence_that_has_both(question: str, told: str) -> None:
    draft = of_names(question)
    assert draft.text == told
    assert [draft.text[slice(*claim.span)] for claim in draft.claims] == [VALTREX]
    assert draft.citations == ("knowledge:1",)


def test_two_names_of_one_thing_in_another_question_decide_nothing() -> None:
    assert not understand("Is Valtrex stronger than valacyclovir?", linked).alike
    assert not understand("Is Valtrex the same as acyclovir?", linked).alike
    asked = understand("Is Valtrex the same thing as valacyclovir?", linked)
    assert (asked.alike, asked.compared, asked.parts) == (True, False, ())
