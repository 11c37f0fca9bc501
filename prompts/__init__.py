"""Floor 1: every text that Medattest says or asks in its own words, as files, and their loader."""

from __future__ import annotations

import string
from functools import cache
from importlib.resources import files

from core.errors import DataMissing


@cache
def _read(name: str) -> str:
    path = files("prompts").joinpath(*name.split("/"))
    if not path.is_file():
        raise DataMissing(f"prompts/{name} is missing: this checkout is incomplete, fetch it again")
    return path.read_text(encoding="utf-8").strip()


def placeholders(name: str) -> frozenset[str]:
    """The named placeholders of a prompt."""
    return frozenset(field for _, field, _, _ in string.Formatter().parse(_read(name)) if field)


def prompt(name: str, **values: str) -> str:
    """The prompt of that name with its placeholders filled; KeyError where one has no value."""
    return _read(name).format_map(values)
