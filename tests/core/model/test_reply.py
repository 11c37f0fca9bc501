from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel, Field

from core.errors import ModelRefusal, ModelReplyError
from core.model.reply import Unfit, read, wire_schema


class Piece(BaseModel):
    """A statement."""

    title: str = Field("", description="in one word")
    text: str


class Pieces(BaseModel):
    """Statements of a text."""

    pieces: list[Piece]
    note: str | None = None


def said(text: str | list[Any], **more: Any) -> AIMessage:
    return AIMessage(text, **more)


PIECES = {"pieces": [{"title": "", "text": "Aspirin is an NSAID."}], "note": None}


def test_a_schema_on_the_wire_is_whole_and_exact() -> None:
    piece = {
        "description": "A statement.",
        "type": "object",
        "properties": {"title": {"description": "in one word", "type": "string"}, "text": {"type": "string"}},
        "required": ["title", "text"],
        "additionalProperties": False,
    }
    assert wire_schema(Pieces) == {
        "title": "Pieces",
        "description": "Statements of a text.",
        "type": "object",
        "properties": {
            "pieces": {"type": "array", "items": piece},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["pieces", "note"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PIECES),
        f"Here:\n```json\n{json.dumps(PIECES, indent=2)}\n```\nDone {{really}}.",
        f"<think>{{maybe}} or {{'x'}} or {json.dumps({'wrong': 1})}</think>{json.dumps(PIECES)}",
        json.dumps({**PIECES, "confidence": 0.9}),
        [{"type": "text", "text": json.dumps(PIECES)}],
    ],
)
def test_the_object_that_fits_is_found_wherever_it_stands(text: str | list[Any]) -> None:
    assert read(Pieces, said(text)).model_dump() == PIECES


def test_a_tools_arguments_are_a_reply_whole_or_as_broken_text() -> None:
    called = said("", tool_calls=[{"name": "Pieces", "args": PIECES, "id": "1", "type": "tool_call"}])
    assert read(Pieces, called).model_dump() == PIECES
    broken = {"name": "Pieces", "args": json.dumps(PIECES) + "}", "id": "1", "error": None}
    assert read(Pieces, said("", invalid_tool_calls=[{**broken, "type": "invalid_tool_call"}])).note is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no JSON object in it"),
        ("[1, 2]", "there is no JSON object in it"),
        ('{"pieces": [{"text": 3}]}', r"pieces\.0\.text: Input should be a valid string"),
        ('{"pieces": [], "note": "\\ud800"}', "Invalid JSON"),
        ('{"pieces": NaN}', "there is no JSON object in it"),
        ('{"a":' * 20_000, "there is no JSON object in it"),
        ("{" * 200_000, "there is no JSON object in it"),
        ('{"pieces": ' + "9" * 5_000 + "}", "there is no JSON object in it"),
    ],
)
def test_what_does_not_fit_is_said_in_words(text: str, fault: str) -> None:
    with pytest.raises(Unfit, match=fault):
        read(Pieces, said(text))


@pytest.mark.parametrize("metadata", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}])
def test_a_reply_that_was_cut_short_names_the_setting(metadata: dict[str, str]) -> None:
    with pytest.raises(ModelReplyError, match="raise MEDATTEST_MODEL_OUTPUT"):
        read(Pieces, said('{"pieces": [{"te', response_metadata=metadata))


@pytest.mark.parametrize(
    "message",
    [
        said("", additional_kwargs={"refusal": "I cannot help with that."}),
        said([{"type": "refusal", "refusal": "I cannot help with that."}]),
    ],
)
def test_a_refusal_is_told_in_the_models_words(message: AIMessage) -> None:
    with pytest.raises(ModelRefusal, match="declined to answer: I cannot help with that"):
        read(Pieces, message)


def test_a_reply_that_a_filter_withheld_is_a_refusal() -> None:
    with pytest.raises(ModelRefusal):
        read(Pieces, said("", response_metadata={"finish_reason": "content_filter"}))


class Note(BaseModel):
    """A text."""

    text: str

    @classmethod
    def from_prose(cls, text: str) -> Note:
        return cls(text=text)


def test_prose_is_a_reply_where_it_is_asked_for_so_and_the_schema_takes_it() -> None:
    assert read(Note, said(" Aspirin helps. "), prose=True) == Note(text="Aspirin helps.")
    for schema, text, prose in ((Note, "Aspirin helps.", False), (Note, '{"text": ', True), (Piece, "Aspirin", True)):
        with pytest.raises(Unfit):
            read(schema, said(text), prose=prose)
