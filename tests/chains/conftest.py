"""What tests of the model-driven chains share: a model that a script plays, and what verifying works with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from core.embeddings import Encode, MiniLM
from core.model.client import Model, open_model
from core.rarity import Rarity, wordpiece_rarity
from core.settings import Settings
from tests.emulators.openai import ModelServer, Play, playing_model

Playing = Callable[..., tuple[Model, ModelServer]]


@pytest.fixture
def playing(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[Playing]:
    """``playing(play, **settings)``: a model that plays this script, and the server at which it does."""
    with ExitStack() as servers:

        def play_it(play: Play, **settings: Any) -> tuple[Model, ModelServer]:
            server = servers.enter_context(playing_model(play))
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "test")
            fields = {"model": "openai:emulated", "model_cache": False, "model_retries": 0, **settings}
            model = open_model(Settings(_env_file=None, home=home, **fields))
            assert model is not None
            return model, server

        yield play_it


@pytest.fixture(scope="session")
def encode(embedder: MiniLM) -> Encode:
    return embedder.encode


@pytest.fixture(scope="session")
def rarity(embedder: MiniLM) -> Rarity:
    return wordpiece_rarity(embedder.vocabulary())


def shown_to(server: ModelServer, request: int = -1) -> tuple[str, str]:
    """The rules and the message of a request."""
    system, user = (str(message["content"]) for message in server.bodies[request]["messages"][:2])
    return system, user
