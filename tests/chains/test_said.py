from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from chains.said import NOTHING_SAID, Said, Teller, leaves_unnamed
from chains.verify.finding import Learned
from core.readers.entailment import Entailed


class Asked(NamedTuple):
    text: str
    task: str = "open"


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array([[1, 0] if "gout" in text.lower() else [0, 1] for text in texts], dtype=np.float32)


def read(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    return np.array([[2.0 if ("cause" in q) == ("urate" in text) else -2.0] for q, text in pairs], dtype=np.float32)


def learned(asked: Sequence[tuple[str, str, str]]) -> list[Entailed]:
    return [Entailed(0.9 if "can be cured" in text else 0.05, 0.02) for _, text, _ in asked]


def test_the_paragraph_that_says_most_stands_for_an_answer_to_several_questions() -> None:
    text = "Gout is a kind of arthritis.\n\nIt comes from urate."
    asked = [Asked("What is gout?"), Asked("What causes gout?")]
    teller = Teller(encode, read)
    assert teller.said_to(asked, text, 0.0) == [Said(2.0, 1.0), Said(2.0, 1.0)]
    assert teller.said_to(asked[:1], text, 0.0) == [Said(-2.0, 1.0)]
    assert teller.said_to(asked, " ", 0.0) == [NOTHING_SAID, NOTHING_SAID]
    assert Teller(encode).said_to(asked[:1], text, 1.5) == [Said(1.5, 1.0)]


@pytest.mark.parametrize(("text", "decided"), [("Gout can be cured.", 2.197), ("Gout is a kind of arthritis.", -2.944)])
def test_a_yes_no_question_is_answered_by_what_decides_it(text: str, decided: float) -> None:
    (said,) = Teller(encode, read, learned).said_to([Asked("Can gout be cured", "yesno")], text, 0.0)
    assert said.yesno == 1.0
    assert said.decided == pytest.approx(decided, abs=0.001)
    (open_,) = Teller(encode, read, learned).said_to([Asked("What is gout?")], text, 0.0)
    assert (open_.yesno, open_.decided) == (0.0, 0.0)


def test_a_yes_no_question_is_asked_of_the_reader_as_a_question() -> None:
    asked: list[str] = []

    def reader(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        asked.extend(question for question, _, _ in pairs)
        return [Entailed(0.5, 0.1)] * len(pairs)

    keeping: Learned = reader
    Teller(encode, None, keeping).said_to([Asked("is gout bad", "yesno"), Asked("is it?", "yesno")], "Yes.", 0.0)
    assert asked == ["is gout bad?", "is it?"]


@pytest.mark.parametrize(
    ("question", "text", "unnamed"),
    [
        ("how long does a concussion take to heal", "Most people recover, but it can take some time.", True),
        ("how long does a concussion take to heal", "Most people recover within two weeks.", False),
        ("How often should I get a flu shot?", "Everyone should get one every year.", False),
        ("How often should I get a flu shot?", "It protects against influenza.", True),
        ("what is a normal blood sugar level", "A blood sugar test measures glucose.", True),
        ("what is a normal blood sugar level", "Below 100 mg/dL is normal.", False),
        ("how many people have lupus", "Lupus is a disease of the immune system.", True),
        ("How is gout treated?", "It is treated with colchicine.", False),
    ],
)
def test_a_time_or_a_number_that_is_asked_for_must_be_named(question: str, text: str, unnamed: bool) -> None:
    assert leaves_unnamed(question, text) is unnamed
    (said,) = Teller(encode, read).said_to([Asked(question)], text, 0.0)
    assert said.unnamed == float(unnamed)
