"""The table of texts that measures the alarms, and what it says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from eval.experiments.safety import Text, questions, read, tally


def test_the_table_is_large_and_half_of_it_is_harmless() -> None:
    texts = read()
    assert len(texts) >= 120
    assert len({text.text for text in texts}) == len(texts)
    for part in ("tuned", "fresh"):
        chosen = [text for text in texts if text.part == part]
        assert 0.45 <= sum(not text.kinds for text in chosen) / len(chosen) <= 0.55


def test_what_the_rules_were_written_for_is_right() -> None:
    for found in tally([text for text in read() if text.part == "tuned"]):
        assert (found.kind, found.missed, found.false) == (found.kind, (), ())


def test_fresh_texts_are_caught_more_often_than_not_and_hardly_ever_wrongly() -> None:
    anything = tally([text for text in read() if text.part == "fresh"])[-1]
    assert len(anything.missed) / anything.wanted <= 0.3
    assert len(anything.false) / anything.unwanted <= 0.04


def test_a_miss_and_a_false_alarm_are_told_apart() -> None:
    texts = [
        Text("fresh", "I want to kill myself", frozenset({"emergency"})),
        Text("fresh", "What is gout?", frozenset()),
    ]
    found = {t.kind: t for t in tally(texts)}
    assert found["emergency"].missed == ("I want to kill myself",)
    assert found["self_harm"].false == ("I want to kill myself",)
    assert (found["any"].missed, found["any"].false) == ((), ())


def test_questions_are_found_in_every_form_of_file(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "a"}\n{"Question": "b"}\n{"qa": [{"question": "c"}, {"question": "d"}]}\n')
    assert questions(path) == ["a", "b", "c", "d"]


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"part": "tuned", "text": "a", "alarms": []}\n{"text": "b"}\n')
    with pytest.raises(InputError, match="line 2: part, alarms missing"):
        read(path)
    path.write_text("nothing\n")
    with pytest.raises(InputError, match="line 1: no JSON"):
        read(path)
