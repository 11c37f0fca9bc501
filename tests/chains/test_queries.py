from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import ExpandInput, model_expander
from chains.hypothetical import model_hypothesizer
from chains.queries import QueriesWritten, query_writer
from chains.understand import understand
from core.model.client import Model, asking, open_model
from core.schema import Outcome
from core.settings import Settings
from tests.chains.conftest import Playing
from tests.emulators.models import down, good, slow

QUESTION = "How is zorblax fever treated?"
WANTED = ExpandInput(understand(QUESTION), hypothetical=True)


def writer(model: Model) -> Runnable[ExpandInput, Outcome[QueriesWritten]]:
    return query_writer(
        model_expander(model, RunnableLambda(lambda _: Outcome(value=())), 3), model_hypothesizer(model)
    )


def test_phrasings_and_the_document_are_written_at_the_same_time(playing: Playing) -> None:
    model, server = playing(slow(good, 0.3))
    found = writer(model).invoke(WANTED)
    assert found.value.phrasings == ("fever treated zorblax",), "the same words in another order are no new query"
    assert found.value.hypothetical.startswith("This passage")
    assert found.usage.model_calls == 2
    assert server.most_at_once == 2


@pytest.mark.parametrize(("phrasings", "hypothetical"), [(True, False), (False, True), (False, False)])
def test_only_what_is_wanted_is_asked(playing: Playing, phrasings: bool, hypothetical: bool) -> None:
    model, server = playing(good)
    found = writer(model).invoke(WANTED._replace(phrasings=phrasings, hypothetical=hypothetical)).value
    assert bool(found.phrasings) == phrasings
    assert (found.hypothetical != QUESTION) == hypothetical
    assert len(server.requests) == phrasings + hypothetical


def test_both_may_fail_and_both_are_told(playing: Playing) -> None:
    model, _ = playing(down)
    found = writer(model).invoke(WANTED)
    assert found.value == ((), QUESTION)
    assert [failure.source for failure in found.failures] == ["model, expand", "model, hypothetical document"]
    assert found.usage.model_calls == 2


def test_offline_holds_in_their_threads(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://far.example/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    model = open_model(Settings(_env_file=None, home=home, model="openai:emulated"))
    assert model is not None
    with asking("offline"):
        found = writer(model).invoke(WANTED)
    assert found.value == ((), QUESTION)
    assert ["offline" in failure.error for failure in found.failures] == [True, True]
