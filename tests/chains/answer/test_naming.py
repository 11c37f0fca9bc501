"""Two names of one thing: what has both says so."""

from __future__ import annotations

import pytest

from chains.answer.naming import said_alike, said_of_names
from chains.understand import understand
from core.schema import Concept, Evidence, Mention
from tests.chains.answer.asked import asked

MEDICINE = Concept(id="MESH:D000082", name="Acetaminophen")
FOR = "Acetaminophen (paracetamol) is a medicine that acts against pain, according to ChEBI."
SOLD = "Acetaminophen is also known as Panadol or Tylenol, according to DrugNames."


def link(text: str) -> list[Mention]:
    """What is called by any of the names of the medicine."""
    names = ("acetaminophen", "paracetamol", "tylenol")
    found = sorted((text.lower().find(name), name) for name in names if name in text.lower())
    return [
        Mention(concept=MEDICINE, start=at, end=at + len(name), text=text[at : at + len(name)]) for at, name in found
    ]


def said(question: str, *texts: str, title: str = "Acetaminophen: medicine", source: str = "knowledge") -> str | None:
    evidence = tuple(
        Evidence(id=f"{source}:{n}", title=title, text=text, source=source, about=(MEDICINE.id,))
        for n, text in enumerate(texts)
    )
    draft = said_alike(asked(question)._replace(understanding=understand(question, link), evidence=evidence))
    return draft.text if draft else None


def test_a_sentence_that_has_both_names_says_that_they_are_one() -> None:
    assert said("Is acetaminophen the same as paracetamol?", f"{FOR} {SOLD}") == f"Yes. {FOR}"
    assert said("Is acetaminophen different from paracetamol?", f"{FOR} {SOLD}") == f"No. {FOR}"


def test_sentences_of_a_vocabulary_on_one_medicine_say_it_together() -> None:
    assert said("Is paracetamol the same as Tylenol?", f"{FOR} {SOLD}") == f"Yes. {FOR} {SOLD}"


@pytest.mark.parametrize(
    ("texts", "title", "source"),
    [
        pytest.param((FOR, SOLD), "Acetaminophen: medicine", "knowledge", id="of two pieces"),
        pytest.param((f"{FOR} {SOLD}",), "Pain Relievers", "library", id="of prose"),
    ],
)
def test_names_of_two_texts_or_of_prose_are_not_put_together(texts: tuple[str, ...], title: str, source: str) -> None:
    assert said("Is paracetamol the same as Tylenol?", *texts, title=title, source=source) is None


OF_CLASS = "Acetaminophen is one of the pain relievers and the fever reducers (antipyretics), according to ChEBI."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Tylenol an antibiotic?", f"{OF_CLASS} {FOR}"),
        ("isn't tylenol a pain reliever", f"Yes. {OF_CLASS} {FOR}"),
        ("what kind of drug is tylenol", f"{OF_CLASS} {FOR}"),
        ("tylenol is what class of medicine?", f"{OF_CLASS} {FOR}"),
        ("would Tylenol be considered a narcotic?", f"{OF_CLASS} {FOR}"),
        ("Is Tylenol safe with an antibiotic?", None),
        ("is tylenol a good pain reliever for gout", None),
    ],
)
def test_of_which_class_a_medicine_is_says_what_is_recorded_of_it(question: str, answer: str | None) -> None:
    assert _said_of(question, f"{FOR} {OF_CLASS} {SOLD}") == answer


def test_what_it_acts_against_does_not_say_whether_it_is_of_a_class() -> None:
    assert _said_of("is tylenol a steroid", f"{FOR} {SOLD}") is None
    assert _said_of("what kind of drug is tylenol", f"{FOR} {SOLD}") == FOR


def test_a_wide_class_does_not_say_whether_it_is_of_one_within() -> None:
    wide = "Acetaminophen is one of the pain relievers, according to ChEBI."
    assert _said_of("is tylenol an nsaid", f"{FOR} {wide}") is None
    assert _said_of("is tylenol an antibiotic", f"{FOR} {wide}") == f"{wide} {FOR}"
    narrow = "Acetaminophen is one of the opioids (narcotics) and the pain relievers, according to ChEBI."
    assert _said_of("is tylenol an nsaid", f"{FOR} {narrow}") == f"{narrow} {FOR}"
    assert _said_of("is tylenol a narcotic", f"{FOR} {narrow}") == f"Yes. {narrow} {FOR}"


def _said_of(question: str, text: str) -> str | None:
    piece = Evidence(
        id="knowledge:1", title="Acetaminophen: medicine", text=text, source="knowledge", about=(MEDICINE.id,)
    )
    draft = said_of_names(asked(question)._replace(understanding=understand(question, link), evidence=(piece,)))
    return draft.text if draft else None
