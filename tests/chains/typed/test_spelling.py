from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.typed.spelling import (
    ALIKE,
    APOSTROPHE,
    DOUBLED,
    SOFT,
    SWAPPED,
    VOWEL,
    WIDTH,
    Lexicon,
    edits,
    sound,
)

LETTERS = "abest"


def gap(word: str) -> float:
    """What the last letter of a word costs that is left out or put in."""
    last = word[-1]
    if word[:-1].endswith(last):
        return DOUBLED
    return APOSTROPHE if last == "'" else SOFT if last in "aeiouyh" else 1.0


def replaced(one: str, other: str) -> float:
    if one == other:
        return 0.0
    if {one, other} <= set("aeiouy"):
        return VOWEL
    return ALIKE if {one, other} == {"b", "p"} or {one, other} == {"t", "d"} else 1.0


def slow(one: str, other: str) -> float:
    """Weighted optimal string alignment by its definition."""
    if not one and not other:
        return 0.0
    ways = []
    if one:
        ways.append(slow(one[:-1], other) + gap(one))
    if other:
        ways.append(slow(one, other[:-1]) + gap(other))
    if one and other:
        ways.append(slow(one[:-1], other[:-1]) + replaced(one[-1], other[-1]))
    if len(one) > 1 and len(other) > 1 and one[-1] == other[-2] and one[-2] == other[-1]:
        ways.append(slow(one[:-2], other[:-2]) + SWAPPED)
    return min(ways)


@given(st.text("abet", min_size=1, max_size=5), st.text("abet", min_size=1, max_size=5))
def test_the_distance_is_that_of_the_definition(one: str, other: str) -> None:
    letters = np.array([other], dtype=f"S{WIDTH}").view(np.uint8).reshape(1, WIDTH)
    assert edits(one, letters).tolist() == [pytest.approx(slow(one, other), abs=1e-5)]


@given(
    st.lists(st.text("abest", min_size=1, max_size=6), min_size=1, max_size=12),
    st.text("abest", min_size=1, max_size=6),
)
def test_what_is_near_is_all_that_is_near_by_letters(words: list[str], typed: str) -> None:
    near = Lexicon(words).near(typed, 1.5)
    letters = np.array(words, dtype=f"S{WIDTH}").view(np.uint8).reshape(len(words), WIDTH)
    for word, far in zip(words, edits(typed, letters).tolist(), strict=True):
        if far <= 1.5 and word != typed:
            assert near[word] <= far
    assert typed not in near


@pytest.mark.parametrize(
    ("one", "other"),
    [("nee", "knee"), ("sorriasis", "psoriasis"), ("infecshun", "infecsion"), ("flem", "phlem"), ("rist", "wrist")],
)
def test_words_that_sound_alike_are_written_alike(one: str, other: str) -> None:
    assert sound(one) == sound(other)


def test_what_is_too_long_or_not_ascii_is_near_nothing() -> None:
    lexicon = Lexicon(["fever"])
    assert lexicon.near("f\u00ebver", 2.0) == {}
    assert lexicon.near("f" * 40, 2.0) == {}
    assert lexicon.near("", 2.0) == {}
    assert lexicon.near("feaver", 2.0) == {"fever": pytest.approx(0.4)}
