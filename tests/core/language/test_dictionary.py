"""Ordinary words are told from names, in any of their forms."""

from __future__ import annotations

import pytest

from core.language.dictionary import is_english


@pytest.mark.parametrize(
    "word",
    [
        "headache",
        "prevents",
        "mammographic",
        "underrecognised",
        "randomised",
        "recognising",
        "postoperative",
        "swimming",
        "zapped",
        "worried",
        "worrying",
        "smoking",
        "bigger",
        "biopsies",
    ],
)
def test_forms_of_english_words_are_english(word: str) -> None:
    assert is_english(word)


@pytest.mark.parametrize(
    "word", ["zorblax", "metforminol", "coronavax", "interblax", "redoxin", "swiming", "worryed", "smokeing"]
)
def test_names_are_not(word: str) -> None:
    assert not is_english(word)
