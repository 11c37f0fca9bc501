from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.typed.spelling import LONGEST, corrected, edits, library_words

WORD = st.text("abcde", min_size=1, max_size=8)


def slow(one: str, other: str) -> int:
    """Optimal string alignment by its definition."""
    if not one or not other:
        return len(one) + len(other)
    ways = [slow(one[:-1], other) + 1, slow(one, other[:-1]) + 1, slow(one[:-1], other[:-1]) + (one[-1] != other[-1])]
    if len(one) > 1 and len(other) > 1 and one[-1] == other[-2] and one[-2] == other[-1]:
        ways.append(slow(one[:-2], other[:-2]) + 1)
    return min(ways)


@given(st.text("abc", min_size=1, max_size=5), st.text("abc", min_size=1, max_size=5))
def test_the_distance_is_that_of_the_definition(one: str, other: str) -> None:
    letters = np.array([other], dtype=f"S{LONGEST}").view(np.uint8).reshape(1, LONGEST)
    assert edits(one, letters).tolist() == [slow(one, other)]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("migrane", "migraine"),
        ("celulitis", "cellulitis"),
        ("treetment", "treatment"),
        ("siezure", "seizure"),
        ("newmonia", "pneumonia"),
        ("lisinipril", "lisinopril"),
        ("zorblax", None),
        ("gallomancy", None),
        ("wat", None),
    ],
)
def test_corrects_to_what_the_library_says(typed: str, meant: str | None) -> None:
    assert corrected(typed, library_words()) == meant
