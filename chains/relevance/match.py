"""How well the words of a name stand in a text: weighted by what each word tells, near each other or apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from chains.lexicon import kind_words, variant_groups
from core.rarity import Rarity
from core.text import content_terms

_KIND_WEIGHT = 0.25
_SHARPNESS = 2
_NON = "non"
_NUMBER = re.compile(r"\d+[a-z]?|[ivx]{1,4}|[a-h]")


@dataclass(frozen=True)
class Name:
    """A name as its stems in order, with the weight of each and of all."""

    stems: tuple[str, ...]
    weights: dict[str, float]
    total: float

    @classmethod
    def of(cls, stems: Sequence[str], rarity: Rarity) -> Name:
        """The name that at least one stem makes; repetitions count once."""
        weights = {stem: weight(stem, rarity) for stem in stems}
        return cls(tuple(weights), weights, sum(weights.values()))


class Match(NamedTuple):
    """How a text carries a name, in [0, 1]: the weighted share of its words that the text has, and near each other.

    Near each other is within one stretch as long as the name plus one word.
    """

    cover: float
    near: float


def weight(stem: str, rarity: Rarity) -> float:
    """What a stem tells in a name: its rarity sharpened, little for words such as *syndrome*."""
    return float(rarity(stem) ** _SHARPNESS * (_KIND_WEIGHT if stem in kind_words() else 1.0)) + 0.01


def name_of(text: str, rarity: Rarity) -> Name | None:
    """The name that a text is; None where it has no word that carries content."""
    stems = content_terms(text)
    return Name.of(stems, rarity) if stems else None


def match(name: Name, sequence: Sequence[str]) -> Match:
    """How a sequence of stems carries a name."""
    hits = [(place, stem) for place, stem in enumerate(sequence) if stem in name.weights]
    cover = sum(name.weights[stem] for stem in {stem for _, stem in hits}) / name.total
    return Match(min(1.0, cover), min(1.0, _best_stretch(name, hits)))


def _best_stretch(name: Name, hits: Sequence[tuple[int, str]]) -> float:
    reach = len(name.stems) + 1
    best = 0.0
    for first, (place, _) in enumerate(hits):
        seen: set[str] = set()
        for later, stem in hits[first:]:
            if later - place >= reach:
                break
            seen.add(stem)
        best = max(best, sum(name.weights[stem] for stem in seen))
        if best >= name.total - 1e-9:
            break
    return best / name.total


def conflict(asked: Name, told: Sequence[str]) -> float:
    """1 where both carry a number or a variant word and these differ, 0.5 where only one carries it, otherwise 0.

    *Non* differs from its absence: Hodgkin and non-Hodgkin lymphoma.
    """
    ours, theirs = set(asked.stems), set(told)
    worst = 0.0
    if (_NON in ours) != (_NON in theirs):
        return 1.0
    mine, other = _numbers(asked.stems), _numbers(tuple(told))
    if mine != other:
        worst = 1.0 if mine - other and other - mine else 0.5
    for group in variant_groups():
        sides = {group[s] for s in ours & group.keys()}, {group[s] for s in theirs & group.keys()}
        if sides[0] and sides[1] and not sides[0] & sides[1]:
            return 1.0
        if bool(sides[0]) != bool(sides[1]):
            worst = max(worst, 0.5)
    return worst


@lru_cache(maxsize=4096)
def _numbers(stems: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for stem in stems if _NUMBER.fullmatch(stem))
