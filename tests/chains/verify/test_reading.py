from __future__ import annotations

import pytest

from chains.verify.passage import abbreviations, read_passage
from chains.verify.reading import read


def negated(text: str) -> list[str]:
    return [token.word for token in read(text).tokens if token.negated]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Aspirin does not reduce risk, but ibuprofen does.", ["reduce", "risk"]),
        ("Not only aspirin helps.", []),
        ("There was no fever, cough or rash.", ["fever", "cough", "or", "rash"]),
        ("The mass is absent.", ["the", "mass", "is"]),
        ("It isn't common; it is mild.", ["common"]),
        ("No patient did not improve.", ["patient", "did", "not"]),
    ],
)
def test_negation_reaches_to_a_boundary(text: str, expected: list[str]) -> None:
    assert negated(text) == expected


def test_hedges_are_heard() -> None:
    assert read("It may help.").hedged
    assert not read("It helps.").hedged


def test_windows_are_slices_of_one_and_two_sentences() -> None:
    text = "One is here.  Two is there. Three is gone."
    windows = read_passage(text).windows
    assert [window.sentences for window in windows] == [1, 1, 1, 2, 2]
    assert all(text[window.start : window.end] == window.text for window in windows)


def test_an_abbreviation_stands_for_its_long_form_and_back() -> None:
    text = "Systemic lupus erythematosus (SLE) is rare. SLE is treated."
    assert abbreviations(text) == {"sle": frozenset({"system", "lupus", "erythematosus"})}
    second = read_passage(text).windows[1]
    assert second.holds("lupus") == 1.0


def test_a_word_of_the_same_family_is_held_in_part() -> None:
    window = read_passage("Methylated genes were seen.").windows[0]
    assert 0 < window.holds("methyl") <= 1
    assert window.holds("methan") == 0
