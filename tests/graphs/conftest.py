"""A real agent whose model is a script that speaks OpenAI's protocol over a socket."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph

from core.schema import VerifiedAnswer
from core.settings import Settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from tests.emulators.openai import Capabilities, ModelServer, Play, playing_model

LEAFLET = (
    "Zorblax fever is treated with glimepride tea for three weeks. Zorblax fever is caused by the bite of the zorb "
    "mite. People with zorblax fever should drink plenty of water."
)


class Agent:
    """The agent, and the server at which its model answers, if it has one."""

    def __init__(self, resources: Resources, server: ModelServer | None = None) -> None:
        self.resources, self.server = resources, server

    async def ask(self, question: str, **fields: Any) -> VerifiedAnswer:
        """Ask it; without evidence of its own a question gets the leaflet."""
        given: dict[str, Any] = {"evidence": [LEAFLET], "settings": {"sources": ["given"]}, **fields}
        graph: CompiledStateGraph[Any, Any, Any, Any] = build_graph(self.resources)
        answer: VerifiedAnswer = (await graph.ainvoke({"question": question, **given}))["answer"]
        return answer

    def asked_for(self, schema: str) -> str:
        """The last message that asked the model for this schema; empty where none did."""
        bodies = self.server.bodies if self.server else []
        found = [b["messages"][-1]["content"] for b in bodies if schema in json.dumps(b.get("response_format"))]
        return str(found[-1]) if found else ""

    def shown(self) -> str:
        """Everything that the model was shown so far."""
        bodies = self.server.bodies if self.server else []
        return "\n".join(str(message["content"]) for body in bodies for message in body["messages"])


Playing = Callable[..., AbstractAsyncContextManager[Agent]]


@pytest.fixture(scope="session")
def built(model_home: Path) -> Iterator[dict[str, Any]]:
    """What every agent may share, since it takes seconds to load."""
    resources = Resources(Settings(home=model_home))
    yield {name: getattr(resources, name) for name in ("knowledge", "linker", "minilm", "rarity")}
    resources.close()


@pytest.fixture
def playing(model_home: Path, built: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Playing:
    """``async with playing(model) as agent``: the agent with that scripted model."""

    @asynccontextmanager
    async def run(play: Play, can: Capabilities | None = None, **settings: Any) -> AsyncIterator[Agent]:
        with playing_model(play, can) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "test")
            fields = {"home": model_home, "model": "openai:emulated", "model_cache": False, "model_retries": 0}
            resources = Resources(Settings(**{**fields, **settings}))
            resources.__dict__.update(built)
            try:
                yield Agent(resources, server)
            finally:
                resources.close()

    return run
