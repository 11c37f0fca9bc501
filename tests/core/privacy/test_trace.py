from __future__ import annotations

from datetime import UTC, date, datetime

from core.privacy.trace import anonymous
from core.schema import Failure


def test_every_leaf_of_every_value_is_cleared() -> None:
    held = {"of Mr Tobermory": [("Mr Tobermory", 3), {"Mr Tobermory"}, Failure(source="a", error="Mr Tobermory")]}
    assert "Tobermory" not in str(anonymous(held))


def test_what_was_found_once_is_known_again_in_other_forms() -> None:
    anonymous("Re: Mr Quillfeather, 9 Larkspur Lane, Leeds LS1 4AP")
    assert "quillfeather" not in anonymous("symptoms of quillfeather")
    assert "larkspur" not in anonymous(r"repr('she\n9 larkspur lane')")


def test_each_word_of_a_place_is_known_again_but_no_word_of_any_street() -> None:
    anonymous("I live at 12 Sorrelgate Street, Winterbourne. What is gout?")
    assert anonymous("sorrelgate, winterbourne and a street drug") == "[address], [address] and a street drug"


def test_a_text_in_pieces_is_told_by_its_length() -> None:
    assert anonymous("dear mr quillfeather was born in leeds on monday".split()) == "9 words"


def test_an_object_that_is_no_value_is_told_by_its_type() -> None:
    assert anonymous({"x": object()}) == {"x": "object"}


def test_a_number_may_stand_for_a_person_unless_it_counts_or_times_what_a_model_did() -> None:
    held = {"mrn": 44718, "phone": 7700900481, "nested": {"case": [4471829, "4471829"]}, "score": 7700900481.5}
    assert anonymous(["4471829"]) == ["[number]"]
    assert not any(digits in str(anonymous(held)) for digits in ("44718", "7700900481"))
    ours = {
        "usage_metadata": {"input_tokens": 123_456, "input_token_details": {"cache_read": 120_000}},
        "seconds": 100_000.5,
        "langgraph_step": 12,
        "risk": 0.25,
        "id": "pubmed:31567890",
        "published": "2024-05-01",
        "events": [{"time": datetime(2026, 1, 1, tzinfo=UTC)}],
    }
    assert anonymous(ours) == ours


def test_the_name_of_a_field_says_what_its_value_is() -> None:
    held = {"dob": "1961-03-14", "patient": {"id": "B-4471"}, "dateOfBirth": "14.03.1961", "met": date(1961, 3, 14)}
    assert not any(digits in str(anonymous(held)) for digits in ("4471", "1961"))
    assert "4471" not in anonymous("seen as b 4471")


def test_the_name_of_a_thread_is_told_as_a_mark_that_nobody_can_guess_it_from() -> None:
    told = anonymous({"thread_id": "theodore.blankenship.1961-03-14", "session_id": 7})
    assert set(map(type, told.values())) == {str}
    assert "theodore" not in str(told)
    assert anonymous(told) == told
    assert anonymous({"thread_id": "theodore.blankenship.1961-03-14"})["thread_id"] == told["thread_id"]
    own = {"thread_id": "01a20665-6edc-7535-ab85-0206a02aaa2d"}
    assert anonymous(own) == own
