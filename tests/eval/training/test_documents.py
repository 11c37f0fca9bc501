from __future__ import annotations

import random

from eval.experiments.answerability import Document, Piece
from eval.training.documents import FIRST, KIN, LATER, Lists

TOLD = [
    ("Gout", "treatment", "What are the treatments for Gout ?", ["Colchicine treats gout.", "So do NSAIDs in gout."]),
    ("Gout", "symptoms", "What are the symptoms of Gout ?", ["A hot toe is one of the symptoms of gout."]),
    ("Gout", "information", "What is (are) Gout ?", ["Gout is a kind of arthritis; symptoms and treatments follow."]),
    ("Asthma", "treatment", "What are the treatments for Asthma ?", ["Inhalers are the treatments for asthma."]),
    ("Pseudogout", "treatment", "What are the treatments for Pseudogout ?", ["Treatments for it are NSAIDs."]),
]


def made(seed: int) -> list[tuple[str, str, float]]:
    documents = [
        Document(str(n), focus, kind, asked, " ".join(text)) for n, (focus, kind, asked, text) in enumerate(TOLD)
    ]
    pieces = [Piece(n, place, text) for n, (*_, texts) in enumerate(TOLD) for place, text in enumerate(texts)]
    return [(pair.title, pair.passage, pair.label) for pair in Lists(documents, pieces, random.Random(seed)).of(0)]


def test_a_question_stands_beside_its_answer_its_kin_and_other_focuses() -> None:
    labels = {passage: label for _, passage, label in made(1)}
    assert labels["Colchicine treats gout."] == FIRST
    assert labels["So do NSAIDs in gout."] == LATER
    assert labels["A hot toe is one of the symptoms of gout."] == KIN
    assert labels["Inhalers are the treatments for asthma."] == 0


def test_what_may_answer_as_well_is_in_no_list() -> None:
    told = {passage for _, passage, _ in made(1)}
    assert not any("kind of arthritis" in passage for passage in told), "a general page tells of the treatment, too"
    assert "Treatments for it are NSAIDs." not in told, "its name holds the name that is asked about"


def test_documents_are_titled_in_every_form_and_a_list_in_one() -> None:
    forms = set()
    for seed in range(12):
        titles = {title for title, passage, label in made(seed) if label == FIRST}
        assert len(titles) == 1
        forms |= titles
    assert forms == {"", "Gout", "What are the treatments for Gout ?"}
