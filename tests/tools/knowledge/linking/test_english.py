from __future__ import annotations

import pytest

from core.errors import DataMissing
from tools.knowledge.linking.english import english, english_words


def test_words_of_plain_english_are_whole_and_in_small_letters() -> None:
    assert {"focus", "water"} <= english_words()
    assert all(word.isalpha() and word == word.lower() for word in english_words())
    assert english().size


def test_without_the_wheel_plain_english_is_not_silently_unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.wheel.find_spec", lambda name: None)
    for words in (english, english_words):
        with pytest.raises(DataMissing, match="make setup"):
            words()
