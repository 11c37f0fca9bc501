from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.knowledge.linking.spelling import SHORTEST, Spelling, one_edit, opposed, spelling_arrays

LETTERS = "abcdehilopqrty"


def slow_distance(a: str, b: str) -> int:
    """Damerau's distance with adjacent swaps, by the textbook's table."""
    table = [[max(i, j) if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def spelling(*words: str) -> Spelling:
    arrays = spelling_arrays(words)
    return Spelling(lambda name: arrays[name])


@given(st.text(LETTERS, min_size=1, max_size=8), st.text(LETTERS, min_size=1, max_size=8))
def test_one_edit_is_a_distance_of_one(a: str, b: str) -> None:
    assert one_edit(a, b) == (slow_distance(a, b) == 1)


@given(st.lists(st.text(LETTERS, min_size=6, max_size=10), min_size=1, max_size=6), st.data())
def test_it_finds_what_comparing_with_every_word_finds(words: list[str], data: st.DataObject) -> None:
    right = data.draw(st.sampled_from(words))
    place = data.draw(st.integers(0, len(right) - 1))
    letter = data.draw(st.sampled_from(LETTERS))
    wrong = right[:place] + letter + right[place + data.draw(st.integers(0, 1)) :]
    near = {word for word in words if one_edit(wrong, word) and not opposed(wrong, word)}
    wanted = {wrong: near.pop()} if len(near) == 1 and len(wrong) >= SHORTEST else {}
    assert spelling(*words).corrections([wrong]) == wanted


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("atypical", "typical"),
        ("abduction", "adduction"),
        ("hypertensin", "hypotensin"),
        ("colostomy", "colotomy"),
        ("uremia", "anuremia"),
    ],
)
def test_what_would_flip_the_meaning_is_not_corrected(written: str, known: str) -> None:
    assert spelling(known).corrections([written]) == {}
    assert spelling(written).corrections([known]) == {}


def test_a_word_near_two_is_left_alone_and_a_known_one_too() -> None:
    assert spelling("metformin", "netformin").corrections(["letformin", "metfornin"]) == {"metfornin": "metformin"}
    assert spelling("metformin").corrections(["metformin"]) == {}
    assert np.array_equal(spelling_arrays([])["spelling_form"], np.zeros(0, np.uint64))
