from __future__ import annotations

from string import ascii_lowercase

import pytest

from chains.typed import Typed, Words, as_written
from chains.typed.spelling import library_words


def in_vocabularies(word: str) -> bool:
    return word in {"acetaminophen", "tirzepatide", "mounjaro"}


def correction(word: str) -> str | None:
    return {"zrytec": "zyrtec", "cepahlexin": "cephalexin", "jansan": "jansen", "philippa": "philippia"}.get(word)


def embedded(word: str) -> bool:
    return word in {"chapel", "coworker", "nee"}


WORDS = Words(in_vocabularies, correction, embedded)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("how do u treat a migrane", "how do you treat a migraine"),
        ("what bp is too high", "what blood pressure is too high"),
        ("what causes gout ??", "what causes gout?"),
        ("is MS inherited", "is multiple sclerosis inherited"),
        ("is copd inherited", "is COPD inherited"),
        ("is chronic obstructive pulmonary disease inherited", "is COPD inherited"),
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
    assert as_written(typed, WORDS).text == written


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("how long dose the flu last", "how long does the flu last"),
        ("shud i wurry about a feaver of 101", "should i worry about a fever of 101"),
        ("is strep throte contagus", "is strep throat contagious"),
        ("wats a normel bloodpressure", "what's a normal blood pressure"),
        ("why do i have a head ache evry mornin", "why do i have a headache every morning"),
        ("signs of a hart atack in wemen", "signs of a heart attack in women"),
        ("how do i no if i brok my rist", "how do i know if i broke my wrist"),
        ("nose bleeds every day", "nosebleeds every day"),
        ("what is a safe dose of tylenol", "what is a safe dose of tylenol"),
        ("Which dose is right? is it the flu", "Which dose is right? is it the flu"),
    ],
)
def test_the_sentence_decides_what_a_word_is(typed: str, written: str) -> None:
    assert as_written(typed, WORDS).text == written


def test_a_word_that_is_known_somewhere_stays_where_nothing_like_it_is_likelier() -> None:
    assert as_written("is mounjaro a shot", WORDS) == Typed(text="is tirzepatide a shot")
    assert as_written("my coworker has shingles", WORDS) == Typed(text="my coworker has shingles")


def test_what_denies_stays_what_denies() -> None:
    for text in ("what mustn't i do", "you shouldn't drink", "it does not hurt"):
        assert as_written(text, WORDS).text == text


def test_words_that_nobody_knows_are_told() -> None:
    assert as_written("how is stage 9 gallomancy treated", WORDS).unknown == ("gallomancy",)
    assert as_written("side effects of Blorvanex", WORDS).unknown == ("Blorvanex",)


def test_the_name_of_a_person_is_neither_corrected_nor_asked_about() -> None:
    written = "My name is Philippa Zorbelius. What causes gout?"
    assert as_written(written, WORDS) == Typed(text=written)


def test_a_long_name_a_letter_away_is_that_of_a_vocabulary() -> None:
    assert as_written("Is Cepahlexin a steroid?", WORDS).text == "Is Cephalexin a steroid?"
    assert as_written("Is Jansan a steroid?", WORDS).text == "Is Jansan a steroid?"


def test_a_word_of_ordinary_english_is_no_unknown_name() -> None:
    assert as_written("i see squiggly lines", WORDS).unknown == ()
    for text in ("what mustn't i do", "is it riskier than surgery"):
        assert as_written(text, WORDS) == Typed(text=text)


def test_a_text_without_words_is_no_sentence() -> None:
    assert as_written("", WORDS) == Typed(text="")
    assert as_written("?! \u2026", WORDS) == Typed(text="?! \u2026")


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
    assert written.split()[-1] in library_words()
    assert as_written(typed, WORDS).text == written


def test_of_a_sentence_of_nothing_but_misspellings_only_so_many_words_are_mended() -> None:
    nonsense = [f"q{first}{second}xz" for first in ascii_lowercase for second in ascii_lowercase]
    assert as_written("migrane " * 300, WORDS).text.split() == ["migraine"] * 300
    written = " ".join([*nonsense, "migrane"])
    assert as_written(written, WORDS).text.endswith("migrane")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("How often can I use the netty pot", "How often can I use the neti pot"),
        ("is vagisil safe", "is vaginal anti-itch cream safe"),
        ("is kratom safe", "is kratom safe"),
    ],
)
def test_no_brand_is_taken_for_a_misspelt_word(typed: str, written: str) -> None:
    assert as_written(typed, WORDS).text == written


@pytest.mark.parametrize(
    "written", ["Was verursacht Skorbut?", "Cos'\u00e8 l'asma?", "quels sont les symptomes de la grippe"]
)
def test_another_language_is_not_taken_for_misspelt_english(written: str) -> None:
    assert as_written(written, WORDS) == Typed(text=written)


@pytest.mark.parametrize(
    ("typed", "written", "unknown"),
    [
        ("what is hyptension", "what is hyptension", ("hyptension",)),
        ("hypglycemia symptoms", "hypglycemia symptoms", ("hypglycemia",)),
        ("signs of hypotention", "signs of hypotension", ()),
        ("hiperglicemia treatment", "hyperglycemia treatment", ()),
    ],
)
def test_what_may_be_either_of_two_opposites_is_asked_about(typed: str, written: str, unknown: tuple[str, ...]) -> None:
    assert as_written(typed, WORDS) == Typed(text=written, unknown=unknown)
