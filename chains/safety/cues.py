"""The reader of ``cues.toml``: what raises an alarm, and what excuses it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Kind = Literal["emergency", "self_harm", "overdose", "poisoning", "first_aid", "personal_dose"]

_FILE = Path(__file__).parent / "cues.toml"
_GROUP = re.compile(r"\{([a-z]\w*)\}")


@dataclass(frozen=True)
class Cues:
    """What raises one kind of alarm: ``alone``, of a ``personal`` matter, or several things ``near`` each other.

    ``excuse`` is what makes it harmless in a sentence; ``dated`` says whether what is past, studied or only imagined
    is harmless too.
    """

    kind: Kind
    alone: re.Pattern[str] | None
    personal: re.Pattern[str] | None
    near: tuple[tuple[re.Pattern[str], ...], ...]
    excuse: re.Pattern[str] | None
    dated: bool


@dataclass(frozen=True)
class Context:
    """What a sentence says of itself, and (``denied``, ``named``) what stands right before a cue."""

    person: re.Pattern[str]
    now: re.Pattern[str]
    past: re.Pattern[str]
    study: re.Pattern[str]
    might: re.Pattern[str]
    denied: re.Pattern[str]
    named: re.Pattern[str]


@lru_cache(maxsize=1)
def cues() -> tuple[Cues, ...]:
    """The cues of every kind, the most urgent first."""
    data = _data()
    groups = data["groups"]
    return tuple(
        Cues(
            entry["kind"],
            _any(entry["alone"], groups, r"\b"),
            _any(entry["personal"], groups, r"\b"),
            tuple(tuple(_compiled(pattern, groups) for pattern in each) for each in entry["near"]),
            _any(entry["excuse"], groups),
            entry.get("dated", True),
        )
        for entry in data["alarm"]
    )


@lru_cache(maxsize=1)
def context() -> Context:
    """The expressions that say who, when and whether at all."""
    data = _data()
    return Context(
        **{name: _compiled("|".join(f"(?:{p})" for p in ps), data["groups"]) for name, ps in data["context"].items()}
    )


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _any(patterns: Sequence[str], groups: Mapping[str, str], start: str = "") -> re.Pattern[str] | None:
    return _compiled("|".join(f"(?:{start}{p})" for p in patterns), groups) if patterns else None


def _compiled(pattern: str, groups: Mapping[str, str]) -> re.Pattern[str]:
    """The pattern with its word groups put in, until none is left: a group may name others."""
    while _GROUP.search(pattern):
        pattern = _GROUP.sub(lambda match: groups[match[1]], pattern)
    return re.compile(pattern)
