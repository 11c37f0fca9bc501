"""The words by which questions and passages show what they ask and what they tell: data files and their reader."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.text import stem

_FOLDER = Path(__file__).parent
_GROUP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Aspect:
    """What a question may ask of its subject, with the expressions that show it.

    ``questions`` match a whole lower-case question, its subject in group ``x`` and what that is related to in ``y``;
    the others are searched for: ``cues`` in a question, ``title`` in a title, ``answer`` in a sentence.
    """

    name: str
    questions: tuple[re.Pattern[str], ...]
    cues: re.Pattern[str] | None
    title: re.Pattern[str] | None
    answer: re.Pattern[str] | None


@lru_cache(maxsize=1)
def aspects() -> Mapping[str, Aspect]:
    """All aspects by name, in the order in which their patterns are tried."""
    data = tomllib.loads((_FOLDER / "aspects.toml").read_text(encoding="utf-8"))
    groups = data["groups"]
    return {
        entry["name"]: Aspect(
            entry["name"],
            tuple(re.compile(_with_places(_filled(p, groups))) for p in entry["question"]),
            _any(entry["cues"], groups),
            _any(entry["title"], groups),
            _any(entry["answer"], groups),
        )
        for entry in data["aspect"]
    }


def _filled(pattern: str, groups: Mapping[str, str]) -> str:
    """Word groups put in, until none is left: a group may name others."""
    while _GROUP.search(pattern):
        pattern = _GROUP.sub(lambda m: groups[m.group(1)], pattern)
    return pattern


def _with_places(pattern: str) -> str:
    place = re.sub(r"\bX\b", "(?P<x>.+?)", pattern, count=1)
    return re.sub(r"\bX\b", "", re.sub(r"\bY\b", "(?P<y>.+)", place))


def _any(patterns: list[str], groups: Mapping[str, str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    return re.compile("|".join(rf"(?:\b{_filled(p, groups)})" for p in patterns))


@lru_cache(maxsize=1)
def variant_groups() -> tuple[Mapping[str, int], ...]:
    """Groups of words that tell siblings apart: each maps a stem to its side; different sides exclude each other."""
    data = tomllib.loads((_FOLDER / "variants.toml").read_text(encoding="utf-8"))
    return tuple({stem(word): side for side, alike in enumerate(group) for word in alike} for group in data["groups"])


@lru_cache(maxsize=1)
def kind_words() -> frozenset[str]:
    """Stems of the words that only say what kind of thing a name names."""
    data = tomllib.loads((_FOLDER / "variants.toml").read_text(encoding="utf-8"))
    return frozenset(stem(word) for word in data["kinds"].split())
