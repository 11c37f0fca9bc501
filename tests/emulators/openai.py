"""OpenAI's chat completions over a loopback socket, playing a scripted model."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.emulators.http import Emulator, Reply, Request, serving

Support = Literal["keeps", "ignores", "refuses"]
"""What a server does with a way of asking: what it is for, nothing, or answer with status 400."""
_TITLE = re.compile(r'"title":\s*"(\w+)"')


@dataclass(frozen=True)
class Capabilities:
    """What the emulated server makes of response formats and tools."""

    json_schema: Support = "keeps"
    tools: Support = "keeps"
    json_object: Support = "keeps"


@dataclass(frozen=True)
class Said:
    """A model's reply with how it ends, for what a dict or a text cannot say."""

    text: str = ""
    finish: str = "stop"
    refusal: str | None = None
    delay: float = 0.0


Spoken: TypeAlias = "dict[str, Any] | str | Said | Reply"
Play = Callable[[str, str, str], Spoken]
"""(name of the schema or empty, the rules, all that the user said) to a value, a text, or how it ends, or raw HTTP."""


@dataclass(frozen=True)
class _Call:
    """What one request asks for."""

    schema: str
    tool: str | None
    system: str
    user: str
    body: Mapping[str, Any] = field(default_factory=dict)


class ModelServer(Emulator):
    """A server of chat completions: what it was asked, as parsed bodies, and how many requests it held at once."""

    def __init__(self, play: Play, capabilities: Capabilities) -> None:
        self.most_at_once = 0
        self._now = 0
        self._counting = threading.Lock()
        self.capabilities = capabilities
        self._play = play
        super().__init__(self._respond)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.body) for request in self.requests]

    def _respond(self, request: Request) -> Reply:
        with self._counting:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            return self._complete(request)
        finally:
            with self._counting:
                self._now -= 1

    def _complete(self, request: Request) -> Reply:
        if request.path != "/v1/chat/completions":
            return refusal(404, f"there is no {request.path}")
        body = json.loads(request.body)
        if refused := _refused(body, self.capabilities):
            return refusal(400, f"{refused} is not supported")
        call = _call(body, self.capabilities)
        spoken = self._play(call.schema, call.system, call.user)
        if isinstance(spoken, Reply):
            return spoken
        said = spoken if isinstance(spoken, Said) else Said(spoken if isinstance(spoken, str) else json.dumps(spoken))
        self.closing.wait(said.delay)
        called = call.tool if isinstance(spoken, dict) else None
        return _streamed(call, said, called) if body.get("stream") else _whole(call, said, called)


@contextmanager
def playing_model(play: Play, capabilities: Capabilities | None = None) -> Iterator[ModelServer]:
    """A server at whose ``url`` + ``/v1`` a scripted model answers while the block runs."""
    server = ModelServer(play, capabilities or Capabilities())
    try:
        yield server
    finally:
        server.close()


@contextmanager
def playing(*replies: Reply) -> Iterator[Emulator]:
    """A server whose ``url`` + ``/v1`` is a base URL; the last reply is given ever after."""
    with serving(*replies) as server:
        yield server


def completion(text: str, *, model: str = "emulated", input_tokens: int = 7, output_tokens: int = 3) -> Reply:
    """A model's whole answer, not streamed."""
    return _completed(model, {"role": "assistant", "content": text}, "stop", _counts(input_tokens, output_tokens))


def refusal(status: int, message: str = "emulated failure", retry_after: str | None = None) -> Reply:
    """An error as the protocol words it."""
    reply = _json(status, {"error": {"message": message, "type": "emulated", "param": None, "code": None}})
    return reply if retry_after is None else Reply(status, reply.body, {**reply.headers, "retry-after": retry_after})


def busy(status: int = 503) -> Reply:
    """An error that asks to come back at once, so that a test need not wait."""
    return Reply(status, refusal(status).body, {"content-type": "application/json", "retry-after-ms": "1"})


def _refused(body: Mapping[str, Any], can: Capabilities) -> str | None:
    kind = (body.get("response_format") or {}).get("type")
    if kind == "json_schema" and can.json_schema == "refuses":
        return "response_format of type json_schema"
    if kind == "json_object" and can.json_object == "refuses":
        return "response_format of type json_object"
    return "tools" if body.get("tools") and can.tools == "refuses" else None


def _call(body: Mapping[str, Any], can: Capabilities) -> _Call:
    """What is asked for, as far as the server can; otherwise by the schema that the rules show, if they do."""
    texts = {role: _said_by(body["messages"], role) for role in ("system", "user")}
    format_ = body.get("response_format") or {}
    tool = body["tools"][0]["function"]["name"] if body.get("tools") and can.tools == "keeps" else None
    schema = tool or ""
    if format_.get("type") == "json_schema" and can.json_schema == "keeps":
        schema = format_["json_schema"]["name"]
    if not schema and (shown := _TITLE.search(texts["system"])):
        schema = shown.group(1)
    return _Call(schema, tool, texts["system"], texts["user"], body)


def _said_by(messages: list[dict[str, Any]], role: str) -> str:
    return "\n\n".join(message["content"] for message in messages if message["role"] == role)


def _whole(call: _Call, said: Said, called: str | None) -> Reply:
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if called:
        function = {"name": called, "arguments": said.text}
        message |= {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    return _completed(call.body["model"], message, _finish(said, called), _usage(call, said))


def _completed(model: str, message: dict[str, Any], finish: str, usage: dict[str, int]) -> Reply:
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return _json(200, {**_head("chat.completion", model), "choices": [choice], "usage": usage})


def _streamed(call: _Call, said: Said, called: str | None) -> Reply:
    """The same as server-sent events, a few characters each."""
    pieces = [said.text[start : start + 12] for start in range(0, len(said.text), 12)]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None if called else ""}]
    if called:
        opening = {"index": 0, "id": "call_1", "type": "function", "function": {"name": called, "arguments": ""}}
        deltas.append({"tool_calls": [opening]})
        deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces]
    else:
        deltas += [{"content": piece} for piece in pieces]
    if said.refusal is not None:
        deltas.append({"refusal": said.refusal})
    choices: list[list[dict[str, Any]]] = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    choices.append([{"index": 0, "delta": {}, "finish_reason": _finish(said, called)}])
    head = _head("chat.completion.chunk", call.body["model"])
    events = [{**head, "choices": choice} for choice in choices]
    if (call.body.get("stream_options") or {}).get("include_usage"):
        events.append({**head, "choices": [], "usage": _usage(call, said)})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Reply(200, "".join([*lines, "data: [DONE]\n\n"]).encode(), {"content-type": "text/event-stream"})


def _finish(said: Said, called: str | None) -> str:
    return "tool_calls" if called and said.finish == "stop" else said.finish


def _usage(call: _Call, said: Said) -> dict[str, int]:
    """Words stand for tokens."""
    return _counts(len(f"{call.system} {call.user}".split()), len(said.text.split()))


def _counts(asked: int, replied: int) -> dict[str, int]:
    return {"prompt_tokens": asked, "completion_tokens": replied, "total_tokens": asked + replied}


def _head(kind: str, model: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": model}


def _json(status: int, body: object) -> Reply:
    return Reply(status, json.dumps(body).encode(), {"content-type": "application/json"})
