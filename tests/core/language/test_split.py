from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language import sentences
from core.text import Span

PIECES = "Dr. e.g. 0.5 mg/kg B. No. fever? - 1. (see below.) “Yes.” naïve ... p53 [1]"
PROSE = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([*PIECES.split(), "\n", "\n\n"])).map(" ".join),
)


def texts(spans: list[Span]) -> list[str]:
    return [span.text for span in spans]


@given(PROSE)
def test_a_sentence_is_the_text_at_its_place(text: str) -> None:
    for span in sentences(text):
        assert text[span.start : span.end] == span.text


@given(PROSE)
def test_sentences_cover_every_character_but_space_in_order(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(texts(spans)).split()) == "".join(text.split())
    assert all(span.text and span.text == span.text.strip() for span in spans)
    assert all(earlier.end <= later.start for earlier, later in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is it? Yes! It is.", ["Is it?", "Yes!", "It is."]),
        ("Dr. Smith et al. found it. It was new.", ["Dr. Smith et al. found it.", "It was new."]),
        ("Beta-blockers, e.g. atenolol, help. Rest too.", ["Beta-blockers, e.g. atenolol, help.", "Rest too."]),
        ("Take 0.5 mg. It helps.", ["Take 0.5 mg.", "It helps."]),
        ("E. coli is common. J. R. Doe said so.", ["E. coli is common.", "J. R. Doe said so."]),
        ("Features (see below.) Then more.", ["Features (see below.)", "Then more."]),
        ("“Rest.” That was all.", ["“Rest.”", "That was all."]),
        ("Signs:\n- fever\n- cough", ["Signs:", "- fever", "- cough"]),
        ("Definition\n\nA disease", ["Definition", "A disease"]),
        ("one line\nand the next.", ["one line\nand the next."]),
        ("Wait... what? Yes.", ["Wait...", "what?", "Yes."]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert texts(sentences(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Steps:\n1. Rest\n2. Drink", ["Steps:", "1. Rest", "2. Drink"]),
        ("Is it safe? He said no. Then he left.", ["Is it safe?", "He said no.", "Then he left."]),
        ("She has hepatitis B. Treatment is rest.", ["She has hepatitis B.", "Treatment is rest."]),
    ],
)
def test_sentences_not_found_yet(text: str, expected: list[str]) -> None:
    assert texts(sentences(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("metformin lowers glucose. aspirin cures gout.", ["metformin lowers glucose.", "aspirin cures gout."]),
        ("Two alleles fell. p53 was lost.", ["Two alleles fell.", "p53 was lost."]),
        ("Blood had a pH 7.4. The rest was acid.", ["Blood had a pH 7.4.", "The rest was acid."]),
        ("Take 50 mg. daily for pain.", ["Take 50 mg. daily for pain."]),
        ("It works [1, 2]. So do others.", ["It works [1, 2].", "So do others."]),
        ("Treatment\nMetformin is used.", ["Treatment", "Metformin is used."]),
        ("## Causes\nSmoking causes it.", ["## Causes", "Smoking causes it."]),
    ],
)
def test_sentences_without_capitals_and_headings(text: str, expected: list[str]) -> None:
    assert texts(sentences(text)) == expected


@pytest.mark.parametrize(
    "piece", ["metformin lowers glucose ", "metformin lowers glucose. ", "a. b ", "x\n", "\n", ". "]
)
def test_time_grows_with_the_length_alone(piece: str) -> None:
    started = time.perf_counter()
    sentences(piece * (360_000 // len(piece)))
    assert time.perf_counter() - started < 10
