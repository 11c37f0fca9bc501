from __future__ import annotations

from chains.answer.length import cut_at_sentence, held_to_length, is_within, said_once
from core.schema import Claim, Draft

TEXT = "Rest helps. Drink water often. See a doctor if it lasts."


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    assert cut_at_sentence(TEXT, 5) == "Rest helps. Drink water often."
    assert cut_at_sentence(TEXT, 4) == "Rest helps."
    assert cut_at_sentence(TEXT, 100) == TEXT


def test_a_sentence_is_never_cut() -> None:
    assert cut_at_sentence("Never take this with alcohol. Rest.", 2) == "Never take this with alcohol."


def test_what_a_looping_model_says_again_is_dropped() -> None:
    looped = "Rest helps [a:1]. Drink water. Rest helps. Drink water [a:2]. Drink less."
    assert said_once(looped) == "Rest helps [a:1]. Drink water. Drink less."
    assert said_once("- Rest\n- Drink") == "- Rest\n- Drink"


def test_no_limit_holds_anything() -> None:
    assert is_within(TEXT, None)
    assert not is_within(TEXT, 9)


def test_a_draft_loses_its_last_claims_and_what_only_they_cite() -> None:
    claims = (
        Claim(text="Rest helps.", span=(5, 16), cited=("given:1",)),
        Claim(text="Drink water often.", span=(17, 35), cited=("given:2",)),
    )
    draft = Draft(
        text="Yes. Rest helps. Drink water often.", choice="yes", claims=claims, citations=("given:1", "given:2")
    )
    held = held_to_length(draft, 4)
    assert (held.text, held.choice, held.citations) == ("Yes. Rest helps.", "yes", ("given:1",))
    assert held_to_length(draft, 1).text == "Yes. Rest helps."
    assert held_to_length(draft, None) is draft
