"""The cues by which a text betrays that it speaks to a model: a data file and its reader."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("cues.toml")
_GROUP = re.compile(r"\{([a-z]\w*)\}")


class Cue(NamedTuple):
    """Expressions over folded text; they are tried only where it holds one of the ``needs``."""

    kind: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]


@lru_cache(maxsize=1)
def planted_cues() -> tuple[Cue, ...]:
    """What shows that a passage addresses a model."""
    return _read("planted")


@lru_cache(maxsize=1)
def compliance_cues() -> tuple[Cue, ...]:
    """What an answer says only where it obeys a text that it was shown."""
    return _read("compliance")


@lru_cache(maxsize=1)
def demand_cues() -> tuple[Cue, ...]:
    """What planted text wants said; the group ``wanted`` holds it."""
    return _read("demand")


def _read(table: str) -> tuple[Cue, ...]:
    data: Mapping[str, Any] = tomllib.loads(_folded(_FILE.read_text(encoding="utf-8")))
    groups: Mapping[str, str] = data["groups"]
    return tuple(
        Cue(entry["kind"], tuple(entry["needs"]), re.compile("|".join(_filled(p, groups) for p in entry["patterns"])))
        for entry in data[table]
    )


def _folded(text: str) -> str:
    """Accents resolved as in the texts that the cues are compared with."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")


def _filled(pattern: str, groups: Mapping[str, str]) -> str:
    """Word groups put in; a space stands for any white space."""
    while _GROUP.search(pattern):
        pattern = _GROUP.sub(lambda m: groups[m.group(1)], pattern)
    return f"(?:{pattern})".replace(" ", r"\s{1,20}")
