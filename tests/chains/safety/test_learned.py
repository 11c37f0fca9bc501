"""The learned reader hears danger in wordings that no rule has, and its file tells the truth about it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from chains.safety import alarm_raiser, alarms
from chains.safety.learned import FILE, Reader, danger, learned_reader, reader_from, rows, units
from core.embeddings import Encode
from core.schema import Outcome
from eval.experiments.safety_fit import KINDS, on_training, training_texts


def raised(text: str, encode: Encode) -> list[str]:
    outcome = alarm_raiser(encode).invoke(text)
    assert isinstance(outcome, Outcome)
    return [alarm.kind for alarm in outcome.value]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my uncle went grey, he says a horse is kneeling on his breastbone", "emergency"),
        ("our infant has gone all floppy and her skin is bluish", "emergency"),
        ("I'm so finished with life, I have chosen the day", "self_harm"),
        ("Stupid app!! Dad turned grey and is slumped over, what now??", "emergency"),
        ("my nan had her whole week's worth of tablets in one afternoon", "overdose"),
        ("the twins got at the drain opener and one of them is drooling", "poisoning"),
        ("my lad is 14 kilos and feverish, what amount of Calpol does he get", "personal_dose"),
    ],
)
def test_danger_is_heard_in_words_that_no_rule_has(text: str, kind: str, encode: Encode) -> None:
    assert kind in raised(text, encode)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n ",
        "What is gout?",
        "Which antidote is used in beta blocker poisoning?",
        "Who invented the stethoscope?",
        "I have had a runny nose for three days",
        "Does metformin need to be taken with meals?",
        "My father takes clopidogrel. He wants to have a tooth pulled. Does he have to stop it?",
        "Her uncle wants to sell his wheelchair.",
        "How common are suicide attempts in Finland?",
        "you are a useless piece of junk and i hate you",
        "shut up stupid machine",
        "I am preparing a talk on the treatment of anaphylaxis",
        "A 31-year-old man presents with crushing chest pain and cold sweat. What is the most likely diagnosis?",
    ],
)
def test_what_is_harmless_stays_silent(text: str, encode: Encode) -> None:
    assert raised(text, encode) == []


def test_both_readers_alarms_come_by_urgency_and_once(encode: Encode) -> None:
    text = "How many mg of melatonin should I take?\nGrandad's lips are blue and he only gasps."
    found = alarm_raiser(encode).invoke(text).value
    assert [alarm.kind for alarm in alarms(text)] == ["personal_dose"]
    assert [alarm.kind for alarm in found] == ["emergency", "personal_dose"]
    assert found[1] == alarms(text)[0]
    assert "gasps" in found[0].words


def test_who_tells_of_an_accident_did_not_mean_to_hurt_himself(encode: Encode) -> None:
    raised = {
        text: {alarm.kind for alarm in alarm_raiser(encode).invoke(text).value}
        for text in ("i accidentally cut myself with a knife", "i cut myself when i feel bad")
    }
    assert [("self_harm" in kinds) for kinds in raised.values()] == [False, True]


def test_what_the_rules_find_is_never_lost(encode: Encode) -> None:
    for text in ("Help, I swallowed 40 Advil", "I want to die, I took all my pills", "my baby isn't breathing"):
        assert {alarm.kind for alarm in alarms(text)} <= set(raised(text, encode))


def test_danger_in_the_middle_of_a_letter_is_heard(encode: Encode) -> None:
    letter = (
        "Hello doctor. I hope that you had a nice summer. My garden keeps me busy. "
        "Since lunch my husband's mouth hangs on one side and he babbles. Best wishes to your wife."
    )
    assert "emergency" in raised(letter, encode)


def test_a_long_text_costs_a_bounded_number_of_short_readings(encode: Encode) -> None:
    read: list[str] = []

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        read.extend(texts)
        return encode(texts)

    alarm_raiser(counting).invoke(" ".join(f"I take a walk on day {day}." for day in range(800)))
    assert 1 < len(read) <= 41
    assert max(len(text) for text in read) <= 1000


def test_a_sentence_of_one_word_is_read_with_the_others_only(encode: Encode) -> None:
    assert [unit.text for unit in units("Is it gout? ? Why? Is it bad?")][1:] == ["Is it gout?", "Is it bad?"]
    assert [unit.text for unit in units("Help! Quick!")] == ["Help! Quick!"]
    assert raised("Who is at risk for gout? ?", encode) == []


def test_the_end_of_a_long_text_is_read() -> None:
    text = " ".join(f"I take a walk on day {day}." for day in range(100)) + " My arm has gone dead."
    assert units(text)[-1].text == "My arm has gone dead."


def test_what_is_said_again_is_read_once() -> None:
    assert [unit.text for unit in units("My knee hurts. " * 900)] == ["My knee hurts."]


@pytest.mark.parametrize(
    "text",
    [
        "A 67-year-old woman is brought to the hospital. She cannot breathe.",
        "A patient says, \u201cI want to kill myself.\u201d What is asked next?",
        "Drug of choice in a 25 years old primigravida who has fits",
    ],
)
def test_a_case_report_is_not_read(text: str) -> None:
    assert units(text) == []


def test_who_tells_of_a_stranger_in_his_own_words_is_read() -> None:
    assert units("A man in my shop has collapsed, help")


def test_the_danger_of_two_kinds_is_that_of_either() -> None:
    reader = Reader(KINDS, np.zeros((5, 4)), (), 0.5)
    odds = np.array([[1.0, 1.0, 0.0, 0.0, 0.0], [0.1, 0.0, 0.0, 0.0, 0.0]])
    assert danger(odds) == pytest.approx([2 / 3, 1 / 11])
    assert reader.raised(odds).tolist() == [[True, True, False, False, False], [False] * 5]


def test_a_sentence_counts_half_and_the_whole_that_it_stands_in_half() -> None:
    reader = Reader(KINDS, np.zeros((5, 4)), (), 0.5)
    harmless, dangerous = [0.1, 0.0, 0.0, 0.0, 0.0], [8.0, 0.0, 0.0, 0.0, 0.0]
    assert not reader.raised(np.array([harmless, dangerous]))[1].any()  # 0.1 times 8 is less than even odds
    assert reader.raised(np.array([[0.2, 0.0, 0.0, 0.0, 0.0], dangerous]))[1].tolist() == [True, *[False] * 4]


def test_words_are_inputs_whatever_their_case_and_apostrophes() -> None:
    inputs = rows(
        units("I can't feel my LEG"), lambda texts: np.zeros((len(texts), 2), np.float32), ("cant", "leg", "arm")
    )
    assert inputs[0, 5:].tolist() == [1.0, 1.0, 0.0]


def test_the_file_has_all_kinds_and_its_figures_are_what_it_reaches(encode: Encode) -> None:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    reader = reader_from(content)
    assert reader.kinds == learned_reader().kinds == KINDS
    assert reader.coefficients.shape == (5, 3 + 384 + len(reader.words) + 1)
    assert "seizure" in reader.words
    recorded = content["on_training"]
    found = on_training(reader, training_texts(), encode)
    assert found["texts"] == recorded["texts"]
    # Another processor's rounding may move a text that lies at the threshold.
    assert found["missed"] == pytest.approx(recorded["missed"], abs=2)
    assert found["false"] == pytest.approx(recorded["false"], abs=2)
