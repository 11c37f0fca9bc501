"""What an identifier of a patient is called, and where one was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "name",
    "date of birth",
    "phone number",
    "e-mail address",
    "web address",
    "network address",
    "record number",
    "insurance number",
    "account number",
    "device number",
    "address",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Removed(NamedTuple):
    """An identifier's kind and its place in the text; never its own text, so that it may be recorded and shown."""

    kind: Kind
    start: int
    end: int


def matches(kind: Kind, pattern: re.Pattern[str], text: str) -> Iterator[Removed]:
    """Every place where the pattern's group ``it`` is, or where the pattern is that has no such group."""
    group: str | int = "it" if "it" in pattern.groupindex else 0
    for match in pattern.finditer(text):
        yield Removed(kind, match.start(group), match.end(group))
