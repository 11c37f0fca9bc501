"""Whether the evidence says the opposite in other words: increase and decrease, tachycardia and bradycardia."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from chains.verify.comparison import Comparison
from chains.verify.wording import Token, Wording
from core.rarity import Rarity
from core.text import stem

_NEIGHBOURS = 5
_FLOOR = 0.1
_MIN_REST = 3
_MIN_WHOLE = 5

Side = tuple[str, int]


@dataclass(frozen=True)
class Lexicon:
    """The curated list: axes with two sides, prefix and suffix pairs, prefixes that take a quality away, swaps."""

    sides: Mapping[str, frozenset[Side]]
    prefixes: tuple[tuple[str, str], ...]
    suffixes: tuple[tuple[str, str], ...]
    privatives: tuple[str, ...]
    not_privative: frozenset[str]
    swaps: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """The list beside this file, by stem; read once. A stem that stands on both sides of an axis has no side there."""
    raw = json.loads(Path(__file__).with_name("antonyms.json").read_text(encoding="utf-8"))
    sides: dict[str, set[Side]] = {}
    for axis, both in raw["axes"].items():
        for sign, listed in zip((1, -1), both, strict=True):
            for word in listed:
                sides.setdefault(stem(word), set()).add((axis, sign))
    swaps: dict[str, str] = {}
    for one, other in raw["swaps"]:
        swaps.setdefault(one, other)
        swaps.setdefault(other, one)
    return Lexicon(
        {key: frozenset(s for s in places if (s[0], -s[1]) not in places) for key, places in sides.items()},
        _both_ways(raw["prefixes"]),
        _both_ways([[stem(one), stem(other)] for one, other in raw["suffixes"]]),
        tuple(raw["privatives"]),
        frozenset(stem(word) for word in raw["not_privative"]),
        swaps,
    )


def opposed(one: str, other: str) -> bool:
    """Whether two stems are antonyms: by the list, by prefix (hyper, hypo) or suffix (cytosis, penia), or by un-."""
    sides = lexicon().sides
    theirs = sides.get(other, frozenset())
    return other in _affixed(one) or any((axis, -sign) in theirs for axis, sign in sides.get(one, ()))


def antonym_conflict(comparison: Comparison) -> float:
    """How strongly the nearest window opposes the claim by its words, in [0, 1].

    Each word of the claim that has an antonym in the window is weighed by how much of its neighbourhood the two have
    in common, and counts only where the window does not say the same at a place that is as near. 0 where there is none.
    """
    return _sides_taken(comparison)[1]


def antonym_agreement(comparison: Comparison) -> float:
    """How strongly the nearest window takes the claim's side where the claim has one, in [0, 1]."""
    return _sides_taken(comparison)[0]


@lru_cache(maxsize=256)
def _sides_taken(comparison: Comparison) -> tuple[float, float]:
    """The strongest agreement of a word of the claim, and the strongest opposition that no agreement outweighs."""
    claim, window = comparison.claim, comparison.window.wording
    agreement = opposition = 0.0
    for i, token in enumerate(claim.tokens):
        for key in _keys(token):
            same, opposite = _places(key, window)
            if not (same or opposite):
                continue
            near = _near(claim, i)
            agrees = max((_overlap(near, _near(window, j), comparison.rarity) for j in same), default=0.0)
            opposes = max((_overlap(near, _near(window, j), comparison.rarity) for j in opposite), default=0.0)
            agreement = max(agreement, agrees)
            if opposes > agrees:
                opposition = max(opposition, opposes)
    return agreement, opposition


def _places(key: str, window: Wording) -> tuple[list[int], list[int]]:
    """Where the window has a word on the same side of an axis as the key, and where one on the opposite side."""
    sides = lexicon().sides.get(key, frozenset())
    opposites = frozenset((axis, -sign) for axis, sign in sides)
    affixed = _affixed(key)
    same = [j for j, theirs in _sided(window) if sides & theirs] if sides else []
    opposite = [j for j, theirs in _sided(window) if opposites & theirs] if sides else []
    if affixed & window.stems:
        opposite += [j for j, token in enumerate(window.tokens) if affixed.intersection(_keys(token))]
    return same, [j for j in opposite if j not in same]


@lru_cache(maxsize=8_192)
def _sided(window: Wording) -> list[tuple[int, frozenset[Side]]]:
    """The words of a window that stand on a side of an axis."""
    known = lexicon().sides
    return [(j, known[key]) for j, token in enumerate(window.tokens) for key in _keys(token) if key in known]


@lru_cache(maxsize=65_536)
def _affixed(key: str) -> frozenset[str]:
    """Stems that would be the opposite of this one by a prefix or a suffix."""
    known = lexicon()
    made = {b + key[len(a) :] for a, b in known.prefixes if key.startswith(a) and len(key) >= len(a) + _MIN_REST}
    made |= {key[: -len(a)] + b for a, b in known.suffixes if key.endswith(a) and len(key) >= len(a) + _MIN_REST}
    if len(key) >= _MIN_WHOLE and key not in known.not_privative:
        made |= {prefix + key for prefix in known.privatives}
    bare = (key[len(prefix) :] for prefix in known.privatives if key.startswith(prefix))
    made |= {rest for rest in bare if len(rest) >= _MIN_WHOLE and rest not in known.not_privative}
    return frozenset(made)


def _both_ways(pairs: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((a, b) for one, other in pairs for a, b in ((one, other), (other, one)))


def _keys(token: Token) -> tuple[str, ...]:
    return token.stems or (token.word,)


def _near(words: Wording, i: int) -> frozenset[str]:
    """Content stems around a word, itself left out."""
    around = words.tokens[max(0, i - _NEIGHBOURS) : i] + words.tokens[i + 1 : i + 1 + _NEIGHBOURS]
    return frozenset(stem for token in around for stem in token.stems)


def _overlap(near: frozenset[str], other: frozenset[str], rarity: Rarity) -> float:
    total = sum(rarity(stem) for stem in near)
    shared = sum(rarity(stem) for stem in near & other)
    return _FLOOR + (1.0 - _FLOOR) * shared / total if total > 0 else _FLOOR
