"""Signs of danger raise a notice first; the same words in a harmless question do not."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.safety import Alarm, Kind, alarms, urgent_notices
from prompts import prompt


def kinds(text: str) -> list[str]:
    return [alarm.kind for alarm in alarms(text)]


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("I have crushing chest pain and it goes into my left arm", ["emergency"]),
        ("My husband\u2019s speech is slurred and his face is drooping", ["emergency"]),
        ("my baby isn't breathing", ["emergency"]),
        ("my 3 week old has a temp of 101, what can i give", ["emergency"]),
        ("I'm on chemo and have a fever. Can I wait until Monday?", ["emergency"]),
        ("Pain started around my belly button and moved to the lower right", ["emergency"]),
        ("My leg is swollen and painful since my knee surgery", ["emergency"]),
        ("I have hives and my throat feels tight", ["emergency"]),
        ("My son has a fever. He also has a stiff neck.", ["emergency"]),
        ("my leg is swollen and painful after a long flight", ["emergency"]),
        ("what should i do if someone is choking?", ["first_aid"]),
        ("how to treat heat stroke", ["first_aid"]),
        ("electric shock first aid", ["first_aid"]),
        ("I want to kill myself", ["self_harm"]),
        ("My friend says she doesn't want to live anymore", ["self_harm"]),
        ("I took 30 paracetamol tablets an hour ago", ["overdose"]),
        ("My daughter swallowed a button battery", ["poisoning"]),
        ("how much ibuprofen should I give my 3 year old", ["personal_dose"]),
        ("Should I double my dose of levothyroxine?", ["personal_dose"]),
        ("My brother overdosed on heroin and is not breathing", ["emergency", "overdose"]),
        ("I want to die, I took all my pills", ["self_harm", "overdose"]),
        ("I had surgery two years ago and now I have chest pain", ["emergency"]),
        ("She is 76. Her temple hurts, combing her hair is sore and her jaw aches when chewing.", ["emergency"]),
    ],
)
def test_danger_to_somebody_raises_an_alarm(text: str, raised: list[str]) -> None:
    assert kinds(text) == raised


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is gout?",
        "history of the overdose epidemic",
        "What is the mechanism of suicide gene therapy?",
        "symptoms of heart attack in textbooks",
        "How do I get into an emergency medicine residency?",
        "what is the maximum daily dose of paracetamol in adults",
        "I have no chest pain but my knee hurts",
        "My legs are a bit swollen at the end of the day",
        "My throat is sore and I ate ice cream",
        "Does chemo hurt?",
        "how do you get a heart attack",
        "what can I do to prevent a second stroke",
        "what causes seizures",
        "My father had a heart attack 5 years ago. Is it hereditary?",
        "A 55-year-old man presents with crushing chest pain. Which of the following is the most likely diagnosis?",
        "My grandmother wants to die at home",
        "I am not suicidal, just tired",
        "I cut myself shaving",
        "I took 20 mg of citalopram this morning as usual, can I eat grapefruit?",
        "Is bleach safe to clean a cutting board?",
        "How often should I take my blood pressure?",
        "How much does insulin cost?",
        "Wie viel Ibuprofen kann ich meinem Kind geben?",
    ],
)
def test_look_alikes_raise_nothing(text: str) -> None:
    assert alarms(text) == ()


def test_an_alarm_tells_the_words_that_raised_it() -> None:
    assert alarms("Help, I swallowed 40 Advil") == (Alarm(kind="overdose", words="swallowed 40 advil"),)


def test_any_turn_of_a_dialogue_counts() -> None:
    turns = "Hello doctor.\nI have had a cough for two weeks.\nSince this morning I can't breathe.\nThank you."
    assert kinds(turns) == ["emergency"]


def test_notices_come_by_urgency_and_once() -> None:
    raised = [Alarm(kind=kind, words="") for kind in reversed(get_args(Kind))]
    assert urgent_notices(raised) == tuple(
        prompt(f"fixed/{name}.txt") for name in ("emergency", "crisis", "poison", "first_aid", "dose")
    )
    assert urgent_notices(()) == ()


def test_the_notices_say_whom_to_call() -> None:
    assert "emergency number" in prompt("fixed/emergency.txt")
    assert "crisis line" in prompt("fixed/crisis.txt")
    assert "poison centre" in prompt("fixed/poison.txt")
    assert "emergency number" in prompt("fixed/first_aid.txt")
    assert "pharmacist" in prompt("fixed/dose.txt")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = kinds(text)
    assert len(found) == len(set(found))
