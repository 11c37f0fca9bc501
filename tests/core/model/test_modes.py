"""Asking a model anew, or not at all; and what a failure has cost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelError, ModelReplyError, ModelUnavailable
from core.model.client import Model, asking, open_model
from core.schema import Outcome, Usage
from core.settings import Settings
from tests.core.model.asking import PROMPT, Opened, Queries
from tests.core.model.asking import asking as asked_at
from tests.emulators.models import down, schema_breaking
from tests.emulators.openai import Capabilities, ModelServer, Spoken, playing_model

TIMEOUTS = count(1000)
"""LangChain keeps one client, with its proxies, for each timeout."""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that says each time which reply of its own it is."""
    numbers = count(1)

    def play(schema: str, system: str, user: str) -> Spoken:
        return {"queries": [f"reply {next(numbers)}"]}

    with playing_model(play) as server:
        yield server


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch, home: Path, server: ModelServer) -> Opened:
    """A function that opens the model as one on another machine."""
    monkeypatch.setenv("HTTP_PROXY", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://far.example/v1")

    def opened_far(**limits: Any) -> Model:
        fields = {"home": home, "model": "openai:emulated", "model_timeout": float(next(TIMEOUTS)), **limits}
        model = open_model(Settings(_env_file=None, **fields))
        assert model is not None
        return model

    return opened_far


def said(model: Model) -> str:
    return model.ask(Queries, PROMPT).value.queries[0]


def test_refreshed_a_kept_reply_is_asked_for_anew_and_replaced(opened: Opened, server: ModelServer) -> None:
    model = opened(server.url)
    assert (said(model), said(model)) == ("reply 1", "reply 1")
    with asking("refresh"):
        assert said(model) == "reply 2"
    assert said(model) == "reply 2"


def test_offline_a_kept_reply_is_taken_however_old_it_is(far: Opened, server: ModelServer) -> None:
    model = far(cache_hours=0)
    assert (said(model), said(model)) == ("reply 1", "reply 2")
    with asking("offline"):
        found = model.ask(Queries, PROMPT)
    assert found == Outcome(value=Queries(queries=["reply 2"]), usage=Usage(cached_calls=1))
    assert len(server.requests) == 2


@pytest.mark.parametrize("keep", [True, False])
def test_offline_nothing_that_is_not_kept_leaves_this_machine(far: Opened, server: ModelServer, keep: bool) -> None:
    model = far(model_cache=keep)
    with asking("offline"):
        with pytest.raises(ModelUnavailable, match=r"offline: openai:emulated at .*far\.example.* was not asked"):
            said(model)
        (other,) = model.ask_all(Queries, [PROMPT])
    assert isinstance(other, ModelUnavailable)
    assert server.requests == []
    assert said(model) == "reply 1"


def test_offline_a_model_on_this_machine_is_asked(opened: Opened, server: ModelServer) -> None:
    with asking("offline"):
        assert said(opened(server.url)) == "reply 1"


def test_a_mode_ends_with_its_block_whatever_happens(far: Opened) -> None:
    model = far(model_cache=False)
    with pytest.raises(ModelUnavailable), asking("refresh"), asking("offline"):
        said(model)
    assert said(model) == "reply 1"


def test_an_error_tells_what_was_spent_on_it(opened: Opened) -> None:
    can = Capabilities("refuses", "refuses")
    with asked_at(opened, schema_breaking, can, model_price_output=1e6) as (model, server):
        with pytest.raises(ModelReplyError) as caught:
            model.ask(Queries, PROMPT)
        usage = caught.value.usage
        assert usage is not None
        assert usage.model_calls == len(server.requests)
        assert usage.cost == usage.output_tokens > 0


def test_so_does_each_of_many(opened: Opened) -> None:
    with asked_at(opened, down) as (model, _):
        found = model.ask_all(Queries, [PROMPT, PROMPT._replace(user="Other.")])
    for each in found:
        assert isinstance(each, ModelError)
        assert each.usage == Usage(model_calls=1)
