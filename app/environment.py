"""Names in the environment and in ``.env`` that look like settings and are none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from dotenv import dotenv_values

from core.settings import ENV_FILES, Settings

PREFIX = "MEDATTEST_"


def misspelt() -> list[str]:
    """A sentence for each variable that no setting reads, with the name that it may have been meant for."""
    return list(_told([*os.environ, *_in_files()]))


def _told(names: Iterable[str]) -> Iterator[str]:
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
