from __future__ import annotations

import pytest

from chains.answer.passages import is_side_effect, passages, tell_apart
from chains.understand import understand
from core.schema import Evidence

ANTACIDS = (
    "Antacids are among the medicines that reduce stomach acid. They can have side effects. Aluminum salts can cause "
    "constipation."
)


def page(text: str, title: str = "Gastritis: What are the treatments for Gastritis?") -> Evidence:
    return Evidence(id="library:gastritis#0", title=title, text=text, source="library")


@pytest.mark.parametrize(
    ("text", "title", "then"),
    [
        (ANTACIDS, "Gastritis: What are the treatments for Gastritis?", True),
        (ANTACIDS, "Constipation: What are the treatments for constipation?", False),
        (f"{ANTACIDS} Laxatives treat constipation.", "Gastritis", False),
        ("Side effects of these drugs may include nausea, constipation and diarrhea.", "Indigestion", True),
        (
            "Celiac disease can cause constipation. A diet without gluten treats celiac disease.",
            "Celiac Disease",
            False,
        ),
    ],
)
def test_a_side_effect_is_not_what_a_text_tells_the_treatment_of(text: str, title: str, then: bool) -> None:
    assert is_side_effect("constipation", page(text, title)) is then


def test_what_treats_a_complaint_is_not_taken_from_a_text_that_has_it_as_a_side_effect() -> None:
    evidence = page(ANTACIDS)
    assert not passages(understand("what medicines treat constipation?"), [evidence], {evidence.id: 0.9})
    assert passages(understand("what causes constipation?"), [evidence], {evidence.id: 0.9})


def test_what_a_medicine_is_for_answers_that_and_not_how_to_take_it() -> None:
    text = "Losartan is a medicine that acts against high blood pressure, according to ChEBI."
    told = Evidence(id="knowledge:1#medicine", title="Losartan: medicine", text=text, source="knowledge")
    for question in ("What is losartan?", "What is losartan used for?"):
        assert passages(understand(question), [told], {told.id: 0.9})
    for question in ("What are the side effects of losartan?", "How much losartan should I take?"):
        assert not passages(understand(question), [told], {told.id: 0.9})
    assert passages(understand("Does losartan help against high blood pressure?"), [told], {told.id: 0.9})
    assert not passages(understand("Is losartan a controlled substance?"), [told], {told.id: 0.9})
    named = told.model_copy(update={"text": "Losartan is a medicine known as Cozaar."})
    assert passages(understand("What is losartan sold as?"), [named], {told.id: 0.9})
    assert not passages(understand("What is losartan?"), [named], {told.id: 0.9})


def test_what_a_medicine_is_for_comes_before_another_disease_s_prose_that_is_no_likelier() -> None:
    text = "Prednisone is a medicine that acts against inflammation, according to ChEBI."
    told = Evidence(id="knowledge:1#medicine", title="Prednisone: medicine", text=text, source="knowledge")
    other = page("Prednisone is the main treatment for sarcoidosis.", "Sarcoidosis: What are the treatments?")
    asked = understand("What is the prednisone for?")
    assert passages(asked, [other, told], {told.id: 0.8, other.id: 0.6})[0][0] == told
    assert passages(asked, [other, told], {told.id: 0.6, other.id: 0.8})[0][0] == other


def test_two_medicines_against_the_same_are_not_told_apart_by_that() -> None:
    def record(name: str, *told: str) -> list[tuple[Evidence, str]]:
        texts = [f"{name} is {what}" for what in told]
        piece = Evidence(id=name, title=f"{name}: medicine", text=" ".join(texts), source="knowledge")
        return [(piece, text) for text in texts]

    viruses = "a medicine that acts against viruses, according to ChEBI."
    sold, other = "also known as Zovirax, according to DrugNames.", viruses.replace("viruses", "depression")
    valacyclovir = record("Valacyclovir", viruses, sold)
    assert not tell_apart([*valacyclovir, *record("Acyclovir", viruses)])
    assert not tell_apart([*valacyclovir, *record("Acyclovir", sold)])
    assert not tell_apart(valacyclovir)
    assert tell_apart([*valacyclovir, *record("Citalopram", other, sold)])
    assert tell_apart([*valacyclovir, (page("Acyclovir is taken more often."), "Acyclovir is taken more often.")])
