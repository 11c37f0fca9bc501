from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rarity import Rarity, wordpiece_rarity
from core.text import content_terms

WORDS = ["[PAD]", "[unused0]", "!", "a", "b", "the", "patient", "heart", "patients", "##ing", "syndrome", "lens"]


@pytest.fixture
def rarity() -> Rarity:
    return wordpiece_rarity({word: rank for rank, word in enumerate(WORDS)})


def weight(rarity: Rarity, word: str) -> float:
    (term,) = content_terms(word)
    return rarity(term)


def test_rarer_words_weigh_more_and_unknown_ones_most(rarity: Rarity) -> None:
    weights = [weight(rarity, word) for word in ("patient", "heart", "syndrome", "lens", "arachnodactyly")]
    assert weights == sorted(weights)
    assert len(set(weights)) == len(weights)
    assert weights[-1] == 1.0


def test_the_most_frequent_word_says_nothing(rarity: Rarity) -> None:
    assert rarity("the") == 0.0


def test_an_inflected_word_weighs_as_its_most_frequent_form(rarity: Rarity) -> None:
    assert weight(rarity, "patients") == weight(rarity, "Patient") < weight(rarity, "heart")


def test_short_numbers_say_little_and_long_ones_much(rarity: Rarity) -> None:
    assert rarity("5") == rarity("12") == 0.3
    assert rarity("1999") == 1.0


def test_pieces_marks_and_single_letters_are_no_words_of_the_vocabulary(rarity: Rarity) -> None:
    assert rarity("b") == rarity("ing") == rarity("pad") == 1.0


@given(st.sets(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=2, max_size=40), st.text(max_size=10))
def test_weights_stay_within_bounds(words: set[str], term: str) -> None:
    rarity = wordpiece_rarity({word: rank for rank, word in enumerate(sorted(words))})
    assert all(0.0 <= rarity(each) <= 1.0 for each in (*words, term))


def test_an_apostrophe_makes_no_rare_word(rarity: Rarity) -> None:
    assert all(rarity(term) < 1.0 for term in content_terms("the patient's heart isn't, don't"))
