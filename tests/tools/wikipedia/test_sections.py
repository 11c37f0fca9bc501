from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emulators.mediawiki import ARTICLES
from tools.wikipedia.sections import MAX_CHARS, passages, sections


def test_sections_know_their_headings_and_anchors() -> None:
    found = list(sections(ARTICLES[11].text))
    assert [(section.path, section.anchor) for section in found] == [
        ((), ""),
        (("Signs and symptoms",), "Signs_and_symptoms"),
        (("Signs and symptoms", "Heart"), "Heart"),
        (("Management", "Surveillance"), "Surveillance"),
        (("Management", "Heart"), "Heart_2"),
    ]
    assert found[0].text.startswith("Marfan syndrome is")
    assert "==" not in "".join(section.text for section in found)


def test_a_text_without_headings_is_its_lead() -> None:
    assert [tuple(section) for section in sections("Only a lead.")] == [((), "", "Only a lead.")]
    assert list(sections("")) == []


@pytest.mark.parametrize("heading", ["References", "see also", "Weblinks", "Voir aussi", "Véase también"])
def test_what_is_no_text_is_left_out_with_all_beneath(heading: str) -> None:
    text = f"Lead.\n\n== {heading} ==\nLinks.\n\n=== Beneath ===\nMore links.\n\n== Course ==\nText."
    assert [section.path for section in sections(text)] == [(), ("Course",)]


def test_equations_are_no_headings() -> None:
    assert [section.path for section in sections("BMI == weight / height\na == b == c\n")] == [()]


def test_long_sections_are_cut_at_ends_of_sentences() -> None:
    text = " ".join(f"Sentence number {n} is about dr. Ehlers and e.g. collagen." for n in range(80))
    pieces = passages(text)
    assert len(pieces) > 2
    assert all(len(piece) <= MAX_CHARS for piece in pieces)
    assert all(piece.endswith("collagen.") and piece.startswith("Sentence") for piece in pieces)
    assert " ".join(pieces) == text


@given(st.text(alphabet="ab .\n", max_size=6000))
def test_no_passage_is_too_long_and_no_long_word_lost(text: str) -> None:
    pieces = passages(text)
    assert all(len(piece) <= MAX_CHARS for piece in pieces)
    assert sum(piece.count("b") for piece in pieces) <= text.count("b")


def test_a_sentence_that_is_too_long_is_cut_at_a_blank() -> None:
    pieces = passages("word " * 1000)
    assert "".join(pieces).replace(" ", "") == "word" * 1000
    assert passages("x" * (2 * MAX_CHARS + 50)) == ["x" * MAX_CHARS, "x" * MAX_CHARS, "x" * 50]
