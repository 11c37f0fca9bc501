from __future__ import annotations

from chains.answer.length import cut_at_sentence, is_within

TEXT = "Rest helps. Drink water often. See a doctor if it lasts."


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    assert cut_at_sentence(TEXT, 5) == "Rest helps. Drink water often."
    assert cut_at_sentence(TEXT, 4) == "Rest helps."
    assert cut_at_sentence(TEXT, 100) == TEXT


def test_a_sentence_is_never_cut() -> None:
    assert cut_at_sentence("Never take this with alcohol. Rest.", 2) == "Never take this with alcohol."


def test_no_limit_holds_anything() -> None:
    assert is_within(TEXT, None)
    assert not is_within(TEXT, 9)
