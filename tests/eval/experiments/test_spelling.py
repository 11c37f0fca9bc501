from __future__ import annotations

from eval.experiments.spelling import Pair, bare, figures


def test_a_line_is_right_where_both_come_to_the_same_words() -> None:
    pairs = [
        Pair("wat is gowt", "what is gout"),
        Pair("is flu bad", "is flu bad"),
        Pair("my tb test", "my tb test"),
        Pair("im sik", "I'm sick"),
    ]
    mended = {"wat is gowt": "what is gout", "my tb test": "my tuberculosis test", "im sik": "I'm silk"}
    found = figures(pairs, lambda text: mended.get(text, text))
    assert found == {"misspelt": 2, "mended": 0.5, "right": 2, "changed": 0.5}


def test_apostrophes_and_capitals_tell_no_words_apart() -> None:
    assert bare("I\u2019m  SICK!") == bare("im sick")
