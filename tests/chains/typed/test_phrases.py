"""What people ask is likelier than what they do not, and every history's words share one probability."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest

from chains.typed.phrases import END, START, Phrases, asked_phrases
from chains.typed.reading import Way, likeliest

ASKED = [["how", "long", "does", "flu", "last"], ["how", "long", "does", "gout", "last"], ["what", "is", "gout"]]


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    counts: Counter[tuple[str, ...]] = Counter()
    for words in ASKED:
        signed = [START, *words, END]
        counts.update((word,) for word in signed)
        counts.update(pairwise(signed))
        counts.update(zip(signed, signed[1:], signed[2:], strict=False))
    return Phrases(counts)


@pytest.mark.parametrize("before", [("how", "long"), ("long", "does"), ("is", "gout"), ("gout", "how"), (START, START)])
def test_probabilities_of_all_words_sum_to_one(phrases: Phrases, before: tuple[str, str]) -> None:
    words = [word for word in phrases.words if word != START]
    assert sum(math.exp(phrases.log_probability(word, before)) for word in words) == pytest.approx(1.0, abs=1e-6)


def test_what_was_asked_is_likelier(phrases: Phrases) -> None:
    assert phrases.log_probability("does", ("how", "long")) > phrases.log_probability("gout", ("how", "long"))
    assert phrases.met("how", "long")
    assert not phrases.met("long", "how")
    assert "gout" in phrases
    assert "dose" not in phrases


def test_the_likeliest_path_takes_what_people_ask(phrases: Phrases) -> None:
    ways = [
        [Way(("how",))],
        [Way(("long",))],
        [Way(("gout",)), Way(("does",), cost=1.0)],
        [Way(("flu",)), Way(("last",), cost=1.0, tokens=2)],
        [Way(("last",))],
    ]
    assert [way.words for way in likeliest(ways, phrases)] == [("how",), ("long",), ("does",), ("flu",), ("last",)]


def test_one_word_of_two_typed_ones(phrases: Phrases) -> None:
    ways = [
        [Way(("what",))],
        [Way(("is",))],
        [Way(("go",), cost=3.0), Way(("gout",), tokens=2)],
        [Way(("ut",), cost=9.0)],
    ]
    assert [way.words for way in likeliest(ways, phrases)] == [("what",), ("is",), ("gout",)]
    assert likeliest([], phrases) == []


def test_the_phrases_that_ship_are_those_of_questions() -> None:
    shipped = asked_phrases()
    assert shipped.met("blood", "pressure")
    assert shipped.log_probability("pressure", ("high", "blood")) > shipped.log_probability("sugar", ("high", "blood"))
