"""What in the environment and in ``.env`` looks like a setting and is none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from core.settings import ENV_FILES, Settings

PREFIX = "MEDATTEST_"


def faults() -> list[str]:
    """A sentence for each line that cannot be read, and for each variable that no setting reads."""
    return [*_unread(), *_misspelt([*os.environ, *_in_files()])]


def _unread() -> list[str]:
    """What is told of lines without a name and a value; they may hold secrets, so they are not shown."""
    return [
        f"line {line} of {file.absolute()} is no NAME=value and is not read: mend it or take it out"
        for file in ENV_FILES
        for line in _unread_lines(file)
    ]


def _unread_lines(file: Path) -> list[int]:
    try:
        with file.open(encoding="utf-8") as stream:
            return [found.original.line for found in parse_stream(stream) if found.error]
    except (OSError, UnicodeDecodeError):
        return []  # whoever loads the settings says so


def _misspelt(names: Iterable[str]) -> Iterator[str]:
    known = [PREFIX + field.upper() for field in Settings.model_fields]
    for name in dict.fromkeys(names):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = get_close_matches(name.upper(), known, n=1)
            yield f"{name} is no setting and is not read" + (f": did you mean {near[0]}?" if near else "")


def _in_files() -> Iterator[str]:
    for file in ENV_FILES:
        try:
            yield from dotenv_values(file)
        except (OSError, UnicodeDecodeError):
            continue  # whoever loads the settings says so
