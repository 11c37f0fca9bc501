from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import BaseModel

from core.model.provider import chat_model
from core.privacy.boundary import noting
from core.privacy.model import redacting
from core.settings import Settings
from tests.emulators.openai import completion, playing

TEXT = "Mr Ito, MRN 1234567: is amlodipine safe?"
CLEAN = "[name], MRN [record number]: is amlodipine safe?"


class Recording(GenericFakeChatModel):
    seen: list[str] = []  # noqa: RUF012 - a field of a Pydantic model, copied for each

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        self.seen.extend(str(message.content) for message in messages)
        return super()._generate(messages, *args, **kwargs)

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        self.seen.extend(str(message.content) for message in messages)
        yield from super()._stream(messages, *args, **kwargs)


@pytest.fixture
def inner() -> Recording:
    return Recording(messages=iter([AIMessage("Yes.")] * 20), seen=[])


@pytest.fixture
def model(inner: Recording) -> BaseChatModel:
    return redacting(inner)


async def test_no_way_of_asking_shows_an_identifier(inner: Recording, model: BaseChatModel) -> None:
    with noting() as noted:
        model.invoke(TEXT)
        await model.ainvoke([HumanMessage(TEXT)])
        model.generate([[HumanMessage(TEXT)]])
        await model.agenerate([[HumanMessage(TEXT)]])
        list(model.stream(TEXT))
        [chunk async for chunk in model.astream(TEXT)]
        model.batch([TEXT])
        model.bind(stop=["x"]).invoke(TEXT)
    assert noted.kinds == ("name", "record number")
    assert len(inner.seen) >= 8
    assert not [text for text in inner.seen if "Ito" in text or "1234567" in text]
    assert CLEAN in inner.seen


def test_a_model_stays_of_its_class(inner: Recording, model: BaseChatModel) -> None:
    assert isinstance(model, Recording)
    assert type(model).__name__ == "Recording"
    inner.invoke(TEXT)
    assert inner.seen == [TEXT]  # the one that was given is as it was


def test_every_part_of_a_conversation_is_cleaned(inner: Recording, model: BaseChatModel) -> None:
    call = {"name": "search", "args": {"query": TEXT, "name": "Mr Ito"}, "id": "1", "type": "tool_call"}
    given = [
        SystemMessage("You are Dr Ito."),
        HumanMessage([{"type": "text", "text": TEXT}, {"type": "image_url", "image_url": {"url": "data:,Mr Ito"}}]),
        AIMessage("", tool_calls=[call]),
        ToolMessage(TEXT, tool_call_id="1"),
    ]
    kept = json.dumps([message.model_dump() for message in given])
    asked: list[BaseMessage] = model._convert_input(given).to_messages()
    assert asked[0].content == "You are [name]."
    assert asked[1].content == [
        {"type": "text", "text": CLEAN},
        {"type": "image_url", "image_url": {"url": "data:,Mr Ito"}},
    ]
    assert isinstance(asked[2], AIMessage)
    assert asked[2].tool_calls[0]["args"] == {"query": CLEAN, "name": "[name]"}
    assert asked[3].content == CLEAN
    assert json.dumps([message.model_dump() for message in given]) == kept


class Answer(BaseModel):
    text: str


@pytest.mark.parametrize("far", [True, False])
def test_a_providers_model_elsewhere_is_sent_no_identifier(monkeypatch: pytest.MonkeyPatch, far: bool) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with playing(completion('{"text": "Yes."}')) as server:
        if far:
            monkeypatch.setenv("HTTP_PROXY", server.url)  # stands for the way to every host
        monkeypatch.setenv("OPENAI_BASE_URL", "http://llm.example/v1" if far else server.url + "/v1")
        timeout = 57.0 if far else 60.0  # LangChain keeps one client, with its proxies, for each timeout
        chat = chat_model(Settings(_env_file=None, model="openai:emulated", model_timeout=timeout))
        assert chat is not None
        answer = chat.with_structured_output(Answer, method="json_schema").invoke(TEXT)
    assert answer == Answer(text="Yes.")
    (request,) = server.requests
    assert json.loads(request.body)["messages"][-1]["content"] == (CLEAN if far else TEXT)
