from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chains.answer.by_task import answerer
from chains.answer.given import AnswerInput
from chains.understand import understand
from core.schema import Draft, Evidence, Question
from core.text import words


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
