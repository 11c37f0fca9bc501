from __future__ import annotations

import pytest

from chains.typed import Typed, as_written
from chains.typed.spelling import library_words


def known(word: str) -> bool:
    return word in {"tylenol", "chapel", "coworker", "how", "catch", "from"}


def correction(word: str) -> str | None:
    return {"zrytec": "zyrtec"}.get(word)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("how do u treat a migrane", "how do you treat a migraine"),
        ("what bp is too high", "what blood pressure is too high"),
        ("is MS inherited", "is multiple sclerosis inherited"),
        ("whats celulitis", "what's cellulitis"),
        ("WHATS CELULITIS", "What's CELLULITIS"),
        ("sooo tired", "so tired"),
        ("can i catch it from my coworker", "can i catch it from my coworker"),
        ("What causes gout?", "What causes gout?"),
        ("my Charley  horse again", "my muscle cramp again"),
        ("can I take Synthroid with coffee", "can I take levothyroxine with coffee"),
        ("Hemroids and asma", "Hemorrhoids and asthma"),
        ("treatmant for glacoma", "treatment for glaucoma"),
        ("clapping hands", "clapping hands"),
        ("what can I use for really bad heart burn", "what can I use for really bad heartburn"),
        ("home care for a sprained ankle", "home care for a sprained ankle"),
        ("do i need jabs, says the plumber", "do i need jabs, says the plumber"),
        ("how long before seeing a PCP?", "how long before seeing a primary care provider?"),
        ("YesIs there anything for the burning?", "Yes. Is there anything for the burning?"),
        ("does zrytec make you sleepy", "does zyrtec make you sleepy"),
    ],
)
def test_a_question_in_words_that_texts_have(typed: str, written: str) -> None:
    assert as_written(typed, [known], correction).text == written


def test_a_known_word_is_never_changed() -> None:
    assert as_written("tylenol for a fever", [known], correction) == as_written(
        "tylenol for a fever", [known], correction
    )
    assert as_written("tylenol for a fever", [known], correction).unknown == ()


def test_words_that_nobody_knows_are_told() -> None:
    assert as_written("how is stage 9 gallomancy treated", [known], correction).unknown == ("gallomancy",)
    assert as_written("side effects of Blorvanex", [known], correction).unknown == ("Blorvanex",)


def test_the_name_of_a_person_is_neither_corrected_nor_asked_about() -> None:
    written = "My name is Philippa Zorbelius. What causes gout?"
    assert as_written(written, [known], {"philippa": "philippia"}.get) == Typed(text=written)


def test_a_long_name_a_letter_away_is_that_of_a_vocabulary() -> None:
    drug = {"cepahlexin": "cephalexin", "jansan": "jansen"}.get
    assert as_written("Is Cepahlexin a steroid?", [known], drug).text == "Is Cephalexin a steroid?"
    assert as_written("Is Jansan a steroid?", [known], drug).text == "Is Jansan a steroid?"


def test_a_word_of_ordinary_english_is_no_unknown_name() -> None:
    assert as_written("i see squiggly lines", [lambda word: word != "squiggly"], correction).unknown == ()
    words = library_words().all
    for text in ("what mustn't i do", "is it riskier than surgery"):
        assert as_written(text, [words.__contains__], lambda word: None) == Typed(text=text)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("plantar facitis", "plantar fasciitis"),
        ("mycofenolate", "mycophenolate"),
        ("exema", "eczema"),
        ("salmanela", "salmonella"),
    ],
)
def test_what_sounds_or_looks_as_a_long_word_is_that_word(typed: str, written: str) -> None:
    assert as_written(typed, [library_words().all.__contains__], lambda word: None).text == written
