"""What the tests of asking share: a schema, a prompt, and an opened model over an emulated server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, Field

from core.model.client import Model, Prompt
from tests.emulators.openai import Capabilities, ModelServer, Play, playing_model


class Queries(BaseModel):
    """Search queries."""

    queries: list[str] = Field(description="one search query each")


PROMPT = Prompt("You write search queries.", "Question: What causes arachnodactyly in children?")
QUERIES = ["arachnodactyly children causes", "children causes arachnodactyly", "causes arachnodactyly children"]

Opened = Callable[..., Model]


@contextmanager
def asking(
    opened: Opened, play: Play, can: Capabilities | None = None, **limits: Any
) -> Iterator[tuple[Model, ModelServer]]:
    with playing_model(play, can) as server:
        yield opened(server.url, **{"model_cache": False, "model_retries": 0, **limits}), server
