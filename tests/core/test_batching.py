"""Batches: every text once, within the budget, and no cut costs less."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.batching import CALL_TOKENS, batches

MOST = 64
LENGTHS = st.lists(st.integers(1, 90), max_size=8)


def cost(lengths: list[int], found: list[list[int]]) -> int:
    return sum(CALL_TOKENS + len(batch) * max(lengths[place] for place in batch) for batch in found)


def splits(ordered: list[int]) -> list[list[list[int]]]:
    """Every way to cut a list into runs."""
    if not ordered:
        return [[]]
    return [[ordered[:size], *rest] for size in range(1, len(ordered) + 1) for rest in splits(ordered[size:])]


@given(LENGTHS)
def test_every_text_is_read_once_the_longest_first_within_the_budget(lengths: list[int]) -> None:
    found = batches(lengths, MOST)
    places = [place for batch in found for place in batch]
    assert sorted(places) == list(range(len(lengths)))
    assert all(lengths[one] >= lengths[other] for one, other in pairwise(places))
    assert all(len(batch) == 1 or len(batch) * lengths[batch[0]] <= MOST for batch in found)


@given(LENGTHS)
def test_no_other_cut_costs_less(lengths: list[int]) -> None:
    ordered = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    allowed = [
        cut
        for cut in splits(ordered)
        if all(len(batch) == 1 or len(batch) * lengths[batch[0]] <= MOST for batch in cut)
    ]
    assert cost(lengths, batches(lengths, MOST)) == min(cost(lengths, cut) for cut in allowed)


def test_a_long_text_among_short_ones_pads_none_of_them() -> None:
    assert batches([5, 200, 6, 5], 2048) == [[1], [2, 0, 3]]
