from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chains.answer.marks import with_marks, without_marks
from chains.claims import split_claims

ANSWER = "Metformin lowers glucose [pubmed:1]. It is cleared by the kidneys.[2] Ask a clinician."


def cited(answer: str, citations: tuple[str, ...] = (), shown: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    text, marks = without_marks(answer, citations, shown)
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


def test_an_id_that_was_shown_may_hold_blanks_and_commas() -> None:
    shown = ("knowledge:C1#of may treat (MED-RT)", "wikipedia:A,_b#C", "given:1")
    answer = "Aspirin thins blood [knowledge:C1#of may treat (MED-RT), given:1]. It is old [wikipedia:A,_b#C; 1]."
    assert cited(answer, ("pubmed:7",), shown) == {
        "Aspirin thins blood.": (shown[0], "given:1"),
        "It is old.": (shown[1], "pubmed:7"),
    }


def test_an_id_that_begins_like_one_that_was_shown_is_another() -> None:
    assert cited("Aspirin thins blood [given:12].", (), ("given:1",)) == {"Aspirin thins blood.": ("given:12",)}


def test_a_bracket_that_cites_nothing_is_text() -> None:
    text, marks = without_marks("It is old [as given:1 says, see given:1].", (), ("given:1",))
    assert (text, marks) == ("It is old [as given:1 says, see given:1].", ())


IDS = ("given:1", "given:2", "knowledge:C1#of may treat (MED-RT)", "wikipedia:A,_b#C:2", "my-notes_2:a.pdf#b")
STATEMENTS = ("Aspirin thins blood", "Tea is hot", "No dose above 2.5 mg is safe")
sentence = st.tuples(st.sampled_from(STATEMENTS), st.lists(st.sampled_from(IDS), unique=True, max_size=3))


@given(st.lists(sentence, min_size=1, max_size=5), st.sampled_from(["{0}{1}. ", "{0}.{1} "]), st.booleans())
def test_every_sentence_keeps_its_words_and_its_ids(
    sentences: list[tuple[str, list[str]]], form: str, together: bool
) -> None:
    def marked(ids: list[str]) -> str:
        return " [" + (", " if together else "] [").join(ids) + "]" if ids else ""

    answer = "".join(form.format(said, marked(ids)) for said, ids in sentences)
    text, marks = without_marks(answer, (), IDS)
    assert text == " ".join(f"{said}." for said, _ in sentences)
    claims = with_marks(split_claims(text), text, marks)
    assert [claim.cited for claim in claims] == [tuple(ids) for _, ids in sentences]
    assert [text[slice(*claim.span)] for claim in claims] == [f"{said}." for said, _ in sentences]


@given(st.text(alphabet="ab. []:,;1\n", max_size=60))
def test_no_text_breaks_it(answer: str) -> None:
    text, marks = without_marks(answer, ("a:1",), ("b:1 a",))
    assert all(mark.place >= 0 for mark in marks)
    for claim in with_marks(split_claims(text), text, marks):
        assert text[slice(*claim.span)].strip()
