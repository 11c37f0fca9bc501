from __future__ import annotations

from chains.answer.marks import with_marks, without_marks
from chains.claims import split_claims

ANSWER = "Metformin lowers glucose [pubmed:1]. It is cleared by the kidneys.[2] Ask a clinician."


def cited(answer: str, citations: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    text, marks = without_marks(answer, citations)
    return {claim.text: claim.cited for claim in with_marks(split_claims(text), text, marks)}


def test_marks_leave_the_text_and_go_to_their_sentences() -> None:
    text, _ = without_marks(ANSWER)
    assert text == "Metformin lowers glucose. It is cleared by the kidneys. Ask a clinician."
    assert cited(ANSWER, ("pubmed:1", "given:2")) == {
        "Metformin lowers glucose.": ("pubmed:1",),
        "It is cleared by the kidneys.": ("given:2",),
        "Ask a clinician.": (),
    }


def test_the_clauses_of_a_sentence_share_its_marks() -> None:
    found = cited("Aspirin thins blood and ibuprofen reduces fever [given:1] [given:3].")
    assert set(found.values()) == {("given:1", "given:3")}


def test_a_number_beyond_the_list_cites_nothing() -> None:
    assert cited("Aspirin thins blood [7].", ("given:1",)) == {"Aspirin thins blood.": ()}


def test_blanks_before_the_text_do_not_move_the_marks() -> None:
    assert cited("\n  Aspirin thins blood [given:1]. Water is wet.")["Water is wet."] == ()
