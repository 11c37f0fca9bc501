"""What can be used of a reply that was cut short: the values that were written to their end."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import ValidationError

from core.model.reply import S


def salvaged(schema: type[S], text: str) -> S | None:
    """The value that the whole fields of a cut reply make; None where a field that it needs is not whole."""
    closed = closed_object(text)
    if closed is None:
        return None
    try:
        return schema.model_validate_json(json.dumps(json.loads(closed)))
    except (ValueError, RecursionError, ValidationError):
        return None


def closed_object(text: str) -> str | None:
    """The JSON object that a text begins, up to its last whole value, with its brackets closed; None without any.

    A value is known to be whole by the comma or the bracket that follows it.
    """
    start, end = text.find("{"), 0
    depth = 0
    for place, char in _marks(text, start):
        depth += (char in "{[") - (char in "}]")
        if char not in "{[":
            end = place + (char != ",")
        if not depth:
            break
    if not end:
        return None
    left: list[str] = []
    for place, char in _marks(text, start):
        if place >= end:
            break
        if char in "{[":
            left.append("}" if char == "{" else "]")
        elif char in "}]":
            left.pop()
    return text[start:end] + "".join(reversed(left))


def _marks(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Brackets and commas that stand in no string, from a place on; none from -1 on."""
    if start < 0:
        return
    in_string = escaped = False
    for place in range(start, len(text)):
        char = text[place]
        if in_string:
            in_string, escaped = char != '"' or escaped, char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[}],":
            yield place, char
