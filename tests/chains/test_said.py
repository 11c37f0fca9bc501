from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chains.said import NOTHING_SAID, Said, leaves_unnamed, said_to


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array([[1, 0] if "gout" in text.lower() else [0, 1] for text in texts], dtype=np.float32)


def read(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    return np.array([[2.0 if ("cause" in q) == ("urate" in text) else -2.0] for q, text in pairs], dtype=np.float32)


def test_the_paragraph_that_says_most_stands_for_an_answer_to_several_questions() -> None:
    text = "Gout is a kind of arthritis.\n\nIt comes from urate."
    asked = ["What is gout?", "What causes gout?"]
    assert said_to(asked, text, encode, read, 0.0) == [Said(2.0, 1.0), Said(2.0, 1.0)]
    assert said_to(asked[:1], text, encode, read, 0.0) == [Said(-2.0, 1.0)]
    assert said_to(asked, " ", encode, read, 0.0) == [NOTHING_SAID, NOTHING_SAID]
    assert said_to(asked[:1], text, encode, None, 1.5) == [Said(1.5, 1.0)]


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
        ("can you die from scabies", "Mites do not survive for long away from the skin.", False),
        ("can you die from gout", "Chronic gout is its most disabling stage.", True),
        ("can you die from the flu", "It can cause complications and even death.", False),
        ("how can i prevent fibromyalgia", "Regular physical activity helps with pain.", True),
        ("how can i prevent the flu", "A yearly vaccine protects you.", False),
        ("can lupus be cured", "Lupus is a disease of the immune system.", True),
        ("when should i see a doctor for a cough", "A cough clears your airways.", True),
        ("when should i see a doctor for a cough", "Call your provider if you cough up blood.", False),
    ],
)
def test_what_is_asked_for_by_name_must_be_named(question: str, text: str, unnamed: bool) -> None:
    assert leaves_unnamed(question, text) is unnamed
    (said,) = said_to([question], text, encode, read, 0.0)
    assert said.unnamed == float(unnamed)
