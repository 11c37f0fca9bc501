"""What a model is asked to reply with, and reading it: a reply is data, whatever it says and however it is made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ModelRefusal, ModelReplyError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

S = TypeVar("S", bound=BaseModel)

TOO_LONG = "the reply was cut short: raise MEDATTEST_MODEL_OUTPUT, or ask for less"
_CUT_SHORT = frozenset({"length", "max_tokens", "max_output_tokens"})
_WITHHELD = frozenset({"content_filter", "refusal", "safety"})
_OPENINGS = 100
"""Braces at which an object is looked for; more would let a hostile reply cost quadratic time."""
_FAULTS = 5


class CutShort(ModelReplyError):
    """The reply ended before it was whole; ``text`` is what there is of it."""

    def __init__(self, text: str) -> None:
        super().__init__(TOO_LONG)
        self.text = text


class Unfit(Exception):
    """The reply does not keep the schema; the message says why, in words for the model, which is shown ``said``."""

    def __init__(self, fault: str, said: str) -> None:
        super().__init__(fault)
        self.said = said


def wire_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema as every provider takes it: references resolved, every field required, no others.

    That is what OpenAI's strict mode asks for, and it keeps a grammar of a local server from leaving fields out.
    """
    given = schema.model_json_schema()
    return {"title": schema.__name__, **_exact(given, given.get("$defs", {}))}


def read(schema: type[S], message: AIMessage, *, prose: bool = False) -> S:
    """The reply as the schema has it, from a tool's arguments or from the first object of its text that fits.

    With ``prose`` a reply that holds no JSON at all is what the schema's ``from_prose`` makes of it, if it has that.

    Raises:
        Unfit: nothing in it keeps the schema.
        ModelRefusal: the model declined.
        CutShort: the reply was cut short.
    """
    _complete(message)
    fault = ""
    for found in _objects(message):
        try:
            return schema.model_validate_json(json.dumps(found))  # as JSON: half a character is no text there
        except ValidationError as error:
            fault = fault or _in_words(error)
    text = str(message.text).strip()
    if prose and text and "{" not in text and (from_prose := getattr(schema, "from_prose", None)):
        made: S = from_prose(text)
        return made
    raise Unfit(fault or "there is no JSON object in it", shown(message))


def shown(message: AIMessage) -> str:
    """The reply as the model is shown it again: its text, otherwise the arguments that it called a tool with."""
    calls = [json.dumps(call["args"]) for call in message.tool_calls]
    calls += [str(call["args"]) for call in message.invalid_tool_calls]
    return str(message.text).strip() or "\n".join(calls) or "(nothing)"


def declined(words: str) -> ModelRefusal:
    """The error for a model that declines, with the words it found for that."""
    said = f": {words.strip()[:200]}" if words.strip() else ""
    return ModelRefusal(f"the model declined to answer{said}; ask in other words, or set another MEDATTEST_MODEL")


def _complete(message: AIMessage) -> None:
    blocks = message.content if isinstance(message.content, list) else []
    refusals = [message.additional_kwargs.get("refusal")]
    refusals += [block.get("refusal") for block in blocks if isinstance(block, dict)]
    if words := next((words for words in refusals if isinstance(words, str) and words), None):
        raise declined(words)
    stops = _stops(message.response_metadata)
    if stops & _WITHHELD:
        raise declined("")
    if stops & _CUT_SHORT:
        raise CutShort(shown(message))


def _stops(metadata: dict[str, Any]) -> set[str]:
    """Why the reply ended, by the names that providers have for it."""
    incomplete = metadata.get("incomplete_details")
    reasons = [metadata.get(name) for name in ("finish_reason", "stop_reason", "done_reason")]
    reasons.append(incomplete.get("reason") if isinstance(incomplete, dict) else None)
    return {reason.lower() for reason in reasons if isinstance(reason, str)}


def _objects(message: AIMessage) -> Iterator[Any]:
    for call in message.tool_calls:
        yield call["args"]
    for broken in message.invalid_tool_calls:
        yield from _decoded(str(broken["args"]))
    yield from _decoded(str(message.text))


def _decoded(text: str) -> Iterator[Any]:
    """Every JSON object of a text, out of prose or a fence, in order of where it begins."""
    decoder = json.JSONDecoder(parse_constant=_no_number)
    for start in islice((place for place, char in enumerate(text) if char == "{"), _OPENINGS):
        try:
            yield decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _in_words(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}" for fault in faults[:_FAULTS])


def _exact(node: Any, definitions: dict[str, Any], *, names: bool = False) -> Any:
    """A schema's node in full; ``names``: its keys are names of fields, not of the schema language."""
    if isinstance(node, list):
        return [_exact(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _exact(field, definitions) for name, field in node.items()}
    if "$ref" in node:
        target = definitions[node["$ref"].rpartition("/")[2]]
        return _exact({**target, **{name: value for name, value in node.items() if name != "$ref"}}, definitions)
    left_out = ("title", "default", "$defs")  # they tell a model nothing, and strict mode refuses defaults
    kept = {
        key: _exact(value, definitions, names=key == "properties") for key, value in node.items() if key not in left_out
    }
    if "properties" in kept:
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept
