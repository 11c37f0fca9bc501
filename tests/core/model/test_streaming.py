from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from core.errors import ModelError, ModelRefusal, ModelReplyError, ModelUnavailable
from core.model.client import Model, Prompt, open_model
from core.schema import Outcome, Usage
from core.settings import Settings
from tests.emulators.http import Reply
from tests.emulators.models import good
from tests.emulators.openai import Capabilities, Said, Spoken, playing_model, refusal


class HypotheticalDocument(BaseModel):
    """A passage."""

    text: str


class State(TypedDict, total=False):
    text: str
    usage: Usage


PROMPT = Prompt("You write a paragraph.", "Question: What is arachnodactyly?")
EVENTS = {"content-type": "text/event-stream"}
TEXT = "This passage is about the following. What is arachnodactyly? It states what is known of that."


async def streamed(ask: Callable[[], Outcome[HypotheticalDocument]]) -> tuple[list[Any], State]:
    """The pieces of messages that a graph around the call streams, and its last state."""

    async def write(state: State) -> State:
        found = await asyncio.to_thread(ask)
        return {"text": found.value.text, "usage": found.usage}

    graph = StateGraph(State).add_node("write", write).add_edge(START, "write").add_edge("write", END).compile()
    parts: list[Any] = [part async for part in graph.astream({"text": ""}, stream_mode=["messages", "values"])]
    return [item[0] for kind, item in parts if kind == "messages"], parts[-1][1]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, home: Path) -> Callable[[str], Model]:
    def open_at(url: str) -> Model:
        monkeypatch.setenv("OPENAI_BASE_URL", url + "/v1")
        model = open_model(Settings(_env_file=None, home=home, model="openai:emulated"))
        assert model is not None
        return model

    return open_at


@pytest.mark.parametrize(
    "can", [Capabilities(), Capabilities(json_schema="refuses"), Capabilities("refuses", "refuses", "refuses")]
)
@pytest.mark.parametrize("many", [False, True])
async def test_a_graph_streams_the_models_words_whatever_the_rung(
    opened: Callable[[str], Model], can: Capabilities, many: bool
) -> None:
    with playing_model(good, can) as server:
        model = opened(server.url)

        def ask() -> Outcome[HypotheticalDocument]:
            if not many:
                return model.ask(HypotheticalDocument, PROMPT)
            (found,) = model.ask_all(HypotheticalDocument, [PROMPT])
            assert isinstance(found, Outcome)
            return found

        chunks, last = await streamed(ask)
    assert last["text"] == TEXT
    assert len(chunks) > 5
    assert last["usage"].input_tokens > 4
    assert last["usage"].output_tokens > 4
    assert all(body["stream"] for body in server.bodies)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (Said(refusal="I cannot help."), ModelRefusal),
        (Said("{", finish="content_filter"), ModelRefusal),
        (Said('{"text": "Arach', finish="length"), ModelReplyError),
        (refusal(500), ModelUnavailable),
        (Reply(200, b'data: {"error": {"message": "no memory left"}}\n\n', EVENTS), ModelUnavailable),
        (Reply(200, b"data: {no JSON\n\n", EVENTS), ModelReplyError),
    ],
)
async def test_a_failure_amid_a_stream_is_the_same_error(
    opened: Callable[[str], Model], said: Spoken, error: type[ModelError]
) -> None:
    with playing_model(lambda *_: said) as server:
        model = opened(server.url)
        with pytest.raises(error):
            await streamed(lambda: model.ask(HypotheticalDocument, PROMPT))
