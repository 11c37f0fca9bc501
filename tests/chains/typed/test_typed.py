from __future__ import annotations

import pytest

from chains.typed import as_written


def known(word: str) -> bool:
    return word in {"tylenol", "chapel", "coworker", "how", "catch", "from"}


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
    ],
)
def test_a_question_in_words_that_texts_have(typed: str, written: str) -> None:
    assert as_written(typed, [known]).text == written


def test_a_known_word_is_never_changed() -> None:
    assert as_written("tylenol for a fever", [known]) == as_written("tylenol for a fever", [known])
    assert as_written("tylenol for a fever", [known]).unknown == ()


def test_words_that_nobody_knows_are_told() -> None:
    assert as_written("how is stage 9 gallomancy treated", [known]).unknown == ("gallomancy",)
    assert as_written("side effects of Blorvanex", [known]).unknown == ("Blorvanex",)
