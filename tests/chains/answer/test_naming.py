"""Two names of one thing: what has both says so."""

from __future__ import annotations

import pytest

from chains.answer.naming import said_alike
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
