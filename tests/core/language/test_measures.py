"""How much, how long and how often, in one unit for each kind, whatever words tell it."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.measures import measures


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Diarrhoea occurred in 25% of patients.", 25, 25, "percent"),
        ("One in four patients had it.", 25, 25, "percent"),
        ("A quarter of the patients had it.", 25, 25, "percent"),
        ("Relapse was seen in 12 of 48.", 25, 25, "percent"),
        ("Of 60 samples, 15 were contaminated.", 25, 25, "percent"),
        ("There were 5 deaths among 20 patients.", 25, 25, "percent"),
        ("Most of the women agreed.", 50.01, 100, "percent"),
        ("It lasts a week.", 7, 7, "day"),
        ("Stay in for a fortnight.", 14, 14, "day"),
        ("It takes two to four weeks.", 14, 28, "day"),
        ("It takes half an hour.", 1 / 48, 1 / 48, "day"),
        ("It took a year and a half.", 547.875, 547.875, "day"),
        ("Take it twice a day.", 2, 2, "a day"),
        ("Take it every twelve hours.", 2, 2, "a day"),
        ("Take it once a week.", 1 / 7, 1 / 7, "a day"),
        ("A tablet holds a quarter of a gram.", 0.25, 0.25, "gram"),
        ("A tablet holds 250 mg.", 0.25, 0.25, "gram"),
        ("The fever reached 100.4 °F.", 38, 38, "celsius"),
        ("At least 30% left.", 30, math.inf, "percent"),
        ("It affects up to 1 in 10 people.", 0, 10, "percent"),
        ("A dozen patients left.", 12, 12, ""),
    ],
)
def test_one_measure_whatever_words_tell_it(text: str, low: float, high: float, unit: str) -> None:
    (found,) = measures(text)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.unit == unit


@pytest.mark.parametrize("text", ["", "IL-6 and CD4", "the third day", "most common", "one of them", "cut it in half"])
def test_names_and_orders_are_no_measures(text: str) -> None:
    assert measures(text) == ()


def test_a_range_holds_what_is_within_it_and_about_is_rough() -> None:
    least, about, exact = (measures(text)[0] for text in ("at least 30%", "about a quarter", "27%"))
    assert about.holds(exact)
    assert not least.holds(exact)
    assert not exact.holds(least)


@given(st.text(max_size=200))
def test_places_are_in_order_and_apart(text: str) -> None:
    found = measures(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
