from __future__ import annotations

import pytest

from tools.knowledge.frequency import Frequency, read_frequency
from tools.knowledge.linking.names import adjective, eponym, inline_form, uninverted
from tools.knowledge.wording import joined, sentence


@pytest.mark.parametrize(
    ("name", "forwards"),
    [
        ("Cardiomyopathy, dilated, 1H", "dilated Cardiomyopathy 1H"),
        ("Albinism, oculocutaneous, type VI", "oculocutaneous Albinism type VI"),
        ("Deafness, autosomal recessive 29", "autosomal recessive Deafness 29"),
        ("Epilepsy, familial focal, with variable foci", "familial focal Epilepsy with variable foci"),
        ("VITAMIN E, FAMILIAL ISOLATED DEFICIENCY OF", "FAMILIAL ISOLATED DEFICIENCY OF VITAMIN E"),
        ("Griscelli syndrome, type 1", None),
        ("Ataxia, deafness, and cataract", None),
        ("Marfan syndrome", None),
        ("Broken,", None),
    ],
)
def test_inverted_names_read_forwards(name: str, forwards: str | None) -> None:
    assert uninverted(name) == forwards


def test_names_stand_in_sentences_as_they_are_written_there() -> None:
    inline = inline_form(["of tall stature", "in tall people", "the temple is", "a temple"])
    assert inline("Tall stature", True) == "tall stature"
    assert inline("Arachnodactyly", True) == "arachnodactyly"
    assert inline("EEG abnormality", True) == "EEG abnormality"
    assert inline("Dandy-Walker malformation", True) == "Dandy-Walker malformation"
    assert inline("Marfan syndrome", False) == "Marfan syndrome"
    assert inline("Temple syndrome", False) == "Temple syndrome"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Tay-Sachs disease", "Tay-Sachs"),
        ("von Willebrand disease", "von Willebrand"),
        ("Fragile X syndrome", "Fragile X"),
        ("Heart Valve Disease", None),
        ("Down syndrome", None),
    ],
)
def test_an_eponym_stands_alone_where_it_is_unmistakable(name: str, expected: str | None) -> None:
    assert eponym(name) == expected


def test_diseases_of_one_word_have_adjectives() -> None:
    assert [adjective(word) for word in ("Diabetes", "hypertension", "epilepsy", "Necrosis", "asthma", "pain")] == [
        "diabetic", "hypertensive", "epileptic", "necrotic", "asthmatic", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HP:0040281", Frequency("very frequent", share=0.9)),
        ("4/5", Frequency("very frequent", 4, 5, 0.8)),
        ("5/5", Frequency("very frequent", 5, 5, 1.0)),
        ("1/1", Frequency(None, 1, 1, 1.0)),
        ("0/9", Frequency("excluded", 0, 9, 0.0)),
        ("7.5%", Frequency("occasional", share=0.075)),
        ("", None),
        ("3/2", None),
        ("0/0", None),
        ("often", None),
    ],
)
def test_frequencies_are_read(text: str, expected: Frequency | None) -> None:
    assert read_frequency(text) == expected


def test_lists_say_honestly_how_many_more() -> None:
    assert joined(["a"]) == "a"
    assert joined(["a", "b"]) == "a and b"
    assert joined(["a", "b"], 5) == "a, b and 3 more"
    assert joined(["a, x", "b"], conjunction="or") == "a, x; or b"


def test_sentences_begin_great_and_end() -> None:
    assert sentence("tall stature is seen") == "Tall stature is seen."
    assert sentence("pH is low.") == "pH is low."
