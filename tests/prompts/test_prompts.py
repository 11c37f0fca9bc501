from __future__ import annotations

import pytest

from core.errors import DataMissing
from prompts import placeholders, prompt


def test_the_fixed_sentence_is_the_papers() -> None:
    assert prompt("fixed/abstention.txt") == "I'm sorry, I can't help you based on the information I have"


def test_placeholders_are_filled_by_name() -> None:
    assert placeholders("fixed/expired.txt") == {"title", "expires", "owner"}
    text = prompt("fixed/expired.txt", title="Leaflet", expires="2020-01-01", owner="Ward 3")
    assert text == "Leaflet expired on 2020-01-01: ask Ward 3 for the current version."


def test_a_missing_value_or_file_is_an_error() -> None:
    with pytest.raises(KeyError):
        prompt("fixed/expired.txt", title="Leaflet")
    with pytest.raises(DataMissing, match=r"fixed/none\.txt"):
        prompt("fixed/none.txt")
