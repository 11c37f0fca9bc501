"""OpenAI's chat completions over a loopback socket, playing a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.emulators.http import Emulator, Reply, serving


def completion(text: str, *, model: str = "emulated", input_tokens: int = 7, output_tokens: int = 3) -> Reply:
    """A model's whole answer, not streamed."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": input_tokens,
            "completion_tokens": output_tokens,
            "total_tokens": input_tokens + output_tokens,
        },
    }
    return _json(200, body)


def refusal(status: int, message: str = "emulated failure", retry_after: str | None = None) -> Reply:
    """An error as the protocol words it."""
    reply = _json(status, {"error": {"message": message, "type": "emulated", "param": None, "code": None}})
    return reply if retry_after is None else Reply(status, reply.body, {**reply.headers, "retry-after": retry_after})


@contextmanager
def playing(*replies: Reply) -> Iterator[Emulator]:
    """A server whose ``url`` + ``/v1`` is a base URL; the last reply is given ever after."""
    with serving(*replies) as server:
        yield server


def _json(status: int, body: object) -> Reply:
    return Reply(status, json.dumps(body).encode(), {"content-type": "application/json"})
