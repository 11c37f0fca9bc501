"""What texts come to on a yes/no question: the windows they are read in, and the function of what was read."""

from __future__ import annotations

import pytest

from chains.answer.weighing import MOST_WINDOWS, WINDOW_WORDS, Readings, Weighed, ending_windows, readings_of, weigh
from core.readers.entailment import Entailed
from core.schema import Evidence

SENTENCE = "Of the forty patients in the second group eleven had a fever on the third day after surgery."


def given(*texts: str) -> list[Evidence]:
    return [Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts, start=1)]


def saying(**odds: float) -> Readings:
    return Readings(**{**dict.fromkeys(Readings._fields, 0.0), **odds})


def test_a_text_is_read_from_its_end_in_whole_sentences() -> None:
    text = " ".join([f"Sentence {n} begins. {SENTENCE}" for n in range(30)])
    windows = ending_windows(text)
    assert len(windows) == MOST_WINDOWS
    assert all(len(window.split()) <= WINDOW_WORDS for window in windows)
    assert " ".join(windows) in text
    assert windows[-1].endswith(SENTENCE)
    assert ending_windows("One sentence.") == ["One sentence."]


def test_a_sentence_longer_than_a_window_is_one() -> None:
    long = " ".join(["word"] * (2 * WINDOW_WORDS))
    assert ending_windows(f"It begins. {long}.") == ["It begins.", f"{long}."]


def test_what_windows_say_is_taken_together() -> None:
    says = {"one": Entailed(0.9, 0.0), "two": Entailed(0.0, 0.4)}
    found = readings_of(
        "Does it help?", given("one", "two"), [], (1.0, 0.0), lambda asked: [says[text] for _, text, _ in asked]
    )
    assert found.surest_yes > 2 > 0 > found.surest_no
    assert found.leaning > 0
    assert found.reported > 0.5
    assert found.report == found.report_ending == found.report_reported == 0


def test_more_for_yes_makes_yes_likelier() -> None:
    unsure, sure = weigh(saying()), weigh(saying(surest_yes=4.0, surest_no=-4.0, leaning=4.0, ending=4.0))
    assert sure.yes > unsure.yes
    assert sure.no < unsure.no
    assert sure.choice == "yes"


def test_what_comes_to_neither_is_likeliest_a_maybe() -> None:
    neither, little_yes = Weighed(yes=0.2, no=0.3), Weighed(yes=0.4, no=0.25)
    assert (neither.likeliest, neither.choice) == ("maybe", "no")
    assert little_yes.likeliest == "yes"


@pytest.mark.parametrize("readings", [saying(), saying(surest_yes=5.3, surest_no=5.3), saying(leaning=-4.6)])
def test_chances_make_one(readings: Readings) -> None:
    weighed = weigh(readings)
    assert weighed.chance("yes") + weighed.chance("no") + weighed.chance("maybe") == pytest.approx(1.0)
    assert min(weighed) >= 0
