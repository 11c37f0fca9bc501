from __future__ import annotations

import pytest
from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import LONGEST, ExpandInput, model_expander
from chains.understand import understand
from core.schema import Outcome
from tests.chains.conftest import Playing, shown_to
from tests.emulators.models import down
from tests.emulators.openai import Play

QUESTION = "How is zorblax fever treated?"
ASKED = ExpandInput(understand(QUESTION), ("Aspirin", "Tea"))
BY_RULE: Runnable[ExpandInput, Outcome[tuple[str, ...]]] = RunnableLambda(lambda _: Outcome(value=("zorblax by rule",)))


def writing(*queries: str) -> Play:
    return lambda *_: {"queries": list(queries)}


def test_the_models_queries_are_taken_without_the_question_and_repetitions(playing: Playing) -> None:
    model, server = playing(
        writing(
            "zorblax therapy", QUESTION, "therapy, Zorblax!", "  ", "zorb mite fever drugs\nzorblax care", "one more"
        )
    )
    found = model_expander(model, BY_RULE, 3).invoke(ASKED)
    assert found.value == ("zorblax therapy", "zorb mite fever drugs", "zorblax care")
    assert found.usage.model_calls == 1
    assert shown_to(server)[1] == f"Write 3 queries.\n\nQuestion: {QUESTION}\n- Aspirin\n- Tea"


@pytest.mark.parametrize("queries", [(), (QUESTION,), ("word " * LONGEST,)])
def test_what_writes_nothing_new_is_expanded_by_rule(playing: Playing, queries: tuple[str, ...]) -> None:
    model, _ = playing(writing(*queries))
    found = model_expander(model, BY_RULE, 3).invoke(ASKED)
    assert found.value == ("zorblax by rule",)
    assert found.failures == ()


def test_so_is_what_fails_and_that_is_told(playing: Playing) -> None:
    model, _ = playing(down)
    found = model_expander(model, BY_RULE, 3).invoke(ASKED)
    assert found.value == ("zorblax by rule",)
    assert [failure.source for failure in found.failures] == ["model, expand"]
    assert found.usage.model_calls == 1


def test_no_queries_ask_no_model(playing: Playing) -> None:
    model, server = playing(writing("zorblax therapy"))
    assert model_expander(model, BY_RULE, 0).invoke(ASKED) == Outcome(value=())
    assert server.requests == []
