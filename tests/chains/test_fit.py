from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chains.fit import estimated_tokens, fit


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 100))
def test_what_is_shown_fits_and_everything_is_counted(pieces: list[str], room: int) -> None:
    fitted = fit(pieces, room, lambda piece: piece)
    assert sum(map(estimated_tokens, fitted.shown)) <= room
    assert len(fitted.shown) + fitted.omitted == len(pieces)


def test_the_higher_rank_comes_first_and_a_shorter_piece_still_finds_room() -> None:
    assert fit(["aaaaaa", "b" * 90, "ccc"], 3, lambda piece: piece) == (("aaaaaa", "ccc"), 1)


def test_a_letter_of_several_bytes_counts_as_such() -> None:
    assert estimated_tokens("药物药物") == 4
