from __future__ import annotations

import pytest

from core.privacy.redaction import redacted


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Could Ottoline take ibuprofen at 30 weeks?", "Ottoline"),
        ("Signed, Ottoline Vandermeer, his aunt", "Ottoline Vandermeer"),
        ("Hello, Ottoline here. Is it safe?", "Ottoline"),
    ],
)
def test_a_name_without_a_title_is_removed(text: str, name: str) -> None:
    assert name not in redacted(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Is Miller Fisher syndrome a form of Guillain-Barré syndrome?",
        "Zollinger Ellison and Peutz Jeghers are treated by surgeons.",
        "Charcot Marie Tooth disease, Wolff Parkinson White, Epstein Barr virus and Henoch Schönlein purpura",
        "Could Warfarin cause hair loss? Does Zofran stop vomiting?",
        "Murphy's sign and McBurney's point were positive; Apgar 9, Glasgow 15.",
    ],
)
def test_an_eponym_is_no_person(text: str) -> None:
    assert redacted(text).text == text
