from __future__ import annotations

from core.privacy.trace import anonymous
from core.schema import Failure


def test_every_leaf_of_every_value_is_cleared() -> None:
    held = {"of Mr Tobermory": [("Mr Tobermory", 3), {"Mr Tobermory"}, Failure(source="a", error="Mr Tobermory")]}
    assert "Tobermory" not in str(anonymous(held))


def test_what_was_found_once_is_known_again_in_other_forms() -> None:
    anonymous("Re: Mr Quillfeather, 9 Larkspur Lane, Leeds LS1 4AP")
    assert "quillfeather" not in anonymous("symptoms of quillfeather")
    assert "larkspur" not in anonymous(r"repr('she\n9 larkspur lane')")


def test_a_text_in_pieces_is_told_by_its_length() -> None:
    assert anonymous("dear mr quillfeather was born in leeds on monday".split()) == "9 words"


def test_an_object_that_is_no_value_is_told_by_its_type() -> None:
    assert anonymous({"x": object()}) == {"x": "object"}
