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


def system_and_user(step: str, **values: str) -> tuple[str, str]:
    """The two parts of a step's prompt: its rules, which take no values, and the message that takes them all."""
    return prompt(f"{step}/system.txt"), prompt(f"{step}/user.txt", **values)


def abstention(language: str = "en") -> str:
    """The fixed sentence that withholds an answer, in that language (ISO 639-1) where there is a translation."""
    translated = f"fixed/abstention.{language}.txt"
    exists = files("prompts").joinpath(*translated.split("/")).is_file()
    return prompt(translated if exists else "fixed/abstention.txt")
