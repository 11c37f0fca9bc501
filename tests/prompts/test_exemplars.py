from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

from core.schema import Exemplar
from tools.exemplars.shipped import shipped

CHOICES = [exemplar for exemplar in shipped() if exemplar.task == "choice"]
DIALOGUES = [exemplar for exemplar in shipped() if exemplar.task == "dialogue"]
TRIPLE = re.compile(r"\[[^,\[\]]+, [^,\[\]]+, [^\[\]]+\]")
DOSE = re.compile(
    r"\d+(?:\.\d+)?\s*(?:mg|mcg|µg|ml|g|units?|tablets?|puffs?|drops?)\b|\b(?:once|twice|times) (?:a day|daily)"
)
PROMPT_CHARS = 1600


def test_there_are_enough_of_them_and_of_many_subjects() -> None:
    assert len(CHOICES) >= 24
    assert len({exemplar.subject for exemplar in CHOICES}) >= 15
    assert len(DIALOGUES) >= 16
    assert len(CHOICES) + len(DIALOGUES) == len(shipped())


def test_none_stands_twice() -> None:
    for values in ([e.id for e in shipped()], [e.context for e in shipped()], [e.answer for e in shipped()]):
        assert len(set(values)) == len(values)


@pytest.mark.parametrize("exemplar", shipped(), ids=lambda e: e.id)
def test_each_has_knowledge_a_source_and_no_claim_to_a_review(exemplar: Exemplar) -> None:
    assert 2 <= len(exemplar.knowledge) <= 4
    assert all(TRIPLE.fullmatch(triple) for triple in exemplar.knowledge)
    assert exemplar.subject
    assert exemplar.source == "written for Medattest, MIT"
    assert exemplar.reviewed == ""
    assert len(exemplar.context) + len(exemplar.answer) + sum(map(len, exemplar.reasoning)) < PROMPT_CHARS


@pytest.mark.parametrize("exemplar", CHOICES, ids=lambda e: e.id)
def test_a_choice_is_reasoned_in_the_papers_five_steps(exemplar: Exemplar) -> None:
    assert list(exemplar.options) == ["A", "B", "C", "D"]
    assert exemplar.choice is not None
    assert exemplar.options[exemplar.choice] == exemplar.answer
    subject, asked, context, weighed, letter = exemplar.reasoning
    assert exemplar.subject in subject
    assert asked.startswith("It asks")
    assert context.startswith("The context says")
    assert all(re.search(rf"\b{option}\b", weighed) for option in exemplar.options)
    assert letter == f"The answer is {exemplar.choice}."


def test_no_letter_is_the_likeliest() -> None:
    counts = Counter(exemplar.choice for exemplar in CHOICES)
    assert set(counts) == set("ABCD")
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("exemplar", DIALOGUES, ids=lambda e: e.id)
def test_a_dialogue_ends_with_the_doctors_careful_reply(exemplar: Exemplar) -> None:
    turns = exemplar.context.splitlines()
    assert len(turns) >= 3
    assert all(turn.startswith(("Patient: ", "Doctor: ")[n % 2]) for n, turn in enumerate(turns))
    assert turns[-1].startswith("Patient: ")
    assert not exemplar.options
    assert re.search(r"emergency|urgent|at once|straight away|today", exemplar.answer), "it says when to get help"
    assert not DOSE.search(exemplar.answer), "no dose for a person"


def test_the_readme_says_that_nobody_has_reviewed_them() -> None:
    assert "not been clinically reviewed" in files("prompts").joinpath("exemplars", "README.md").read_text("utf-8")
