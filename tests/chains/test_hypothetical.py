from __future__ import annotations

from typing import Any

import pytest

from chains.hypothetical import LONGEST, hypothesizer, model_hypothesizer
from core.schema import Outcome
from tests.chains.conftest import Playing, shown_to
from tests.emulators.models import down, good, schema_breaking
from tests.emulators.openai import Play

QUESTION = "How is {zorblax} fever treated?"


def test_without_a_model_the_question_stands_in() -> None:
    assert hypothesizer().invoke(QUESTION) == Outcome(value=QUESTION)


def test_the_model_imagines_a_document_from_the_question_alone(playing: Playing) -> None:
    model, server = playing(good)
    found = model_hypothesizer(model).invoke(QUESTION)
    assert found.value.startswith("This passage is about the following.")
    assert found.failures == ()
    assert found.usage.model_calls == 1
    system, user = shown_to(server)
    assert user == f"Question: {QUESTION}"
    assert "one paragraph" in system


@pytest.mark.parametrize(("said", "found"), [("  ", QUESTION), (f" {'x' * 9000}", "x" * LONGEST)])
def test_an_empty_document_is_none_and_a_long_one_is_cut(playing: Playing, said: str, found: str) -> None:
    model, _ = playing(lambda *_: {"text": said})
    assert model_hypothesizer(model).invoke(QUESTION).value == found


@pytest.mark.parametrize("play", [down, schema_breaking])
def test_where_it_fails_the_question_stands_in_and_that_is_told(playing: Playing, play: Play) -> None:
    model, server = playing(play)
    found: Outcome[Any] = model_hypothesizer(model).invoke(QUESTION)
    assert found.value == QUESTION
    assert [failure.source for failure in found.failures] == ["model, hypothetical document"]
    assert found.usage.model_calls == len(server.requests) > 0
