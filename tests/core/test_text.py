from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import STOPWORDS, Span, content_terms, end_of, stem, terms, words

PIECES = "Dr. e.g. 0.5 mg/kg B. No. fever? - 1. (see below.) “Yes.” naïve ..."
PROSE = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([*PIECES.split(), "\n", "\n\n"])).map(" ".join),
)


def texts(spans: list[Span]) -> list[str]:
    return [span.text for span in spans]


@given(PROSE)
def test_a_span_is_the_text_at_its_place(text: str) -> None:
    for span in words(text):
        assert text[span.start : span.end] == span.text


@given(PROSE)
def test_words_cover_every_letter_and_digit_in_order(text: str) -> None:
    assert [c for c in "".join(texts(words(text))) if c.isalnum()] == [c for c in text if c.isalnum()]


@given(PROSE)
def test_content_terms_are_the_terms_without_stop_words(text: str) -> None:
    left = iter(terms(text))
    assert all(term in left for term in content_terms(text))  # a subsequence


def test_offsets_count_code_points() -> None:
    assert words("𝒳é 5")[-1] == Span(3, 4, "5")


def test_words_keep_hyphens_decimals_and_fractions() -> None:
    assert texts(words("Beta-blockers: 2.5 mg/kg, 1,000 IU; Marfan's (x_y)")) == [
        "Beta-blockers", "2.5", "mg/kg", "1,000", "IU", "Marfan's", "x", "y",
    ]  # fmt: skip


def test_terms_part_hyphens_and_keep_stop_words() -> None:
    assert terms("The beta-blockers") == ["the", "beta", "blocker"]
    assert content_terms("The beta-blockers") == ["beta", "blocker"]


def test_negations_carry_content() -> None:
    assert content_terms("no not never without") == ["no", "not", "never"]
    assert {"no", "not", "nor", "never"}.isdisjoint(STOPWORDS)


def test_forms_of_a_word_share_a_stem() -> None:
    assert stem("diseases") == stem("disease")
    assert terms("Treated TREATING treats") == ["treat"] * 3


@pytest.mark.parametrize("text", ["", " \n\t ", "…?!", "\x00"])
def test_text_without_words_has_none(text: str) -> None:
    assert words(text) == []
    assert terms(text) == content_terms(text) == []


def test_contractions_of_stop_words_are_stop_words() -> None:
    assert content_terms("It isn't the patient's; they don't") == ["patient"]


def test_the_end_of_a_long_text_begins_with_a_word() -> None:
    assert end_of("short", 5) == "short"
    assert end_of("a letter that asks", 8) == "asks"
    assert end_of("x" * 9, 4) == "xxxx"
