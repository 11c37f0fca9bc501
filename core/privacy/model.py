"""A chat model that is never shown an identifier. Importing this module imports LangChain: do it when there is one."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from langchain_core.prompt_values import ChatPromptValue, PromptValue

from core.privacy.boundary import note, stays_here
from core.privacy.redaction import redacted

_ADDRESSES = ("root_client.base_url", "client._client.base_url", "_client._client.base_url", "base_url", "endpoint")
"""Where providers' classes keep the address that they send to."""
_NOT_TEXT = frozenset({"type", "id", "name", "data", "base64", "image_url", "url", "mime_type", "tool_call_id"})
"""Fields of a content block that hold links, images or names of the protocol."""


def redacting(model: BaseChatModel) -> BaseChatModel:
    """A copy of the model whose every way of being asked removes identifiers from the messages first.

    It stays of its own class, so that tools, structured output and streaming work as before, and callbacks, traces and
    LangChain's cache see the redacted messages. A model known to answer from this machine is returned as it is.
    """
    if _is_here(model):
        return model
    guarded = copy.copy(model)
    object.__setattr__(guarded, "__class__", _guarding(type(model)))
    return guarded


@cache
def _guarding(kind: type[BaseChatModel]) -> type[BaseChatModel]:
    class Guarded(kind):  # type: ignore[misc, valid-type]  # a class made at run time, for whatever provider
        def _convert_input(self, model_input: LanguageModelInput) -> PromptValue:
            """Every way to ask but ``generate`` comes through here."""
            prompt: PromptValue = super()._convert_input(model_input)
            return ChatPromptValue(messages=[_clean(message) for message in prompt.to_messages()])

        def generate(self, messages: list[list[BaseMessage]], *args: Any, **kwargs: Any) -> LLMResult:
            found: LLMResult = super().generate([list(map(_clean, batch)) for batch in messages], *args, **kwargs)
            return found

        async def agenerate(self, messages: list[list[BaseMessage]], *args: Any, **kwargs: Any) -> LLMResult:
            cleaned = [list(map(_clean, batch)) for batch in messages]
            found: LLMResult = await super().agenerate(cleaned, *args, **kwargs)
            return found

    Guarded.__name__, Guarded.__qualname__, Guarded.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    return Guarded


def _clean(message: BaseMessage) -> BaseMessage:
    """The message without identifiers, in text, content blocks and the arguments of tool calls."""
    update: dict[str, Any] = {"content": clean_value(message.content, _NOT_TEXT)}
    if calls := getattr(message, "tool_calls", None):
        update["tool_calls"] = [{**call, "args": clean_value(call["args"])} for call in calls]
    return message.model_copy(update=update)


def clean_value(value: Any, kept: frozenset[str] = frozenset()) -> Any:
    """A JSON value whose texts hold no identifier; the names of fields, and the fields ``kept``, stay as they are."""
    if isinstance(value, str):
        found = redacted(value)
        note(piece.kind for piece in found.removed)
        return found.text
    if isinstance(value, list):
        return [clean_value(item, kept) for item in value]
    if isinstance(value, dict):
        return {name: item if name in kept else clean_value(item, kept) for name, item in value.items()}
    return value


def _is_here(model: BaseChatModel) -> bool:
    found = [str(address) for path in _ADDRESSES if (address := _at(model, path))]
    return bool(found) and all(stays_here(address) for address in found)


def _at(holder: Any, path: str) -> Any:
    for name in path.split("."):
        holder = getattr(holder, name, None)
    return holder
