"""The words that decide what a sentence means, from ``lexicon.toml`` beside this file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, cast

from core.language.statement import RelationKind

Role = Literal["active", "converse", "patient"]
PartOfSpeech = Literal["verb", "noun", "adjective"]


class Frame(NamedTuple):
    """What a word means with a preposition: the relation, and whether its subject is what the word's object is."""

    kind: RelationKind
    preposition: str
    role: Role


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("core.language").joinpath("lexicon.toml").read_text(encoding="utf-8"))


@cache
def words(section: str, name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(_table()[section][name].split())


@cache
def phrases(section: str, name: str) -> frozenset[tuple[str, ...]]:
    """The phrases of one list, each as its words."""
    return frozenset(tuple(each.split()) for each in _table()[section][name].split(","))


@cache
def frames(part: PartOfSpeech) -> dict[str, tuple[Frame, ...]]:
    """What each lemma of a part of speech may relate, by its preposition."""
    found: dict[str, list[Frame]] = {}
    for section, roles in _table().items():
        if section.startswith(f"{part}"):
            for kind, lists in roles.items():
                for role, listed in lists.items():
                    for each in listed.split(","):
                        lemma, _, preposition = each.strip().partition(" ")
                        frame = Frame(cast(RelationKind, kind), preposition, cast(Role, role))
                        found.setdefault(lemma, []).append(frame)
    return {lemma: tuple(each) for lemma, each in found.items()}


@cache
def compounds() -> dict[str, tuple[RelationKind, bool]]:
    """The second part of "X-induced Y" and "X-lowering Y": its kind, and whether X is what acts."""
    found: dict[str, tuple[RelationKind, bool]] = {}
    for name, listed in _table()["compound"].items():
        kind, _, active = name.partition(" ")
        for word in listed.split():
            found[word] = (cast(RelationKind, kind), not active)
    return found
