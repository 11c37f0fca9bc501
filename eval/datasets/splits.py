"""Whether two parts of a set share what they must not, and how a set is divided so that they cannot."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from eval.datasets.example import Example

_PLAIN = re.compile(r"\W+")
SHORT = 20
"""Questions of fewer characters, such as “Any advice?” at the end of a consultation, tell nothing alone."""


def keys(example: Example) -> Iterator[str]:
    """What an example shares with those that must stay on its side: its question, claim, texts, and group."""
    asked = " ".join([*(turn.text for turn in example.history), example.question]) if not example.claim else ""
    for kind, text in (("question", asked), ("claim", example.claim), *(("text", each) for each in example.context)):
        plain = _PLAIN.sub(" ", text).strip().lower()
        if len(plain) >= SHORT:
            yield f"{kind}: {plain}"
    yield from example.group


def leaking(train: Sequence[Example], test: Sequence[Example]) -> list[Example]:
    """The examples of the test part that share something with the training part."""
    seen = {key for example in train for key in keys(example)}
    return [example for example in test if not seen.isdisjoint(keys(example))]


def divided(examples: Sequence[Example], share: float, seed: int) -> tuple[list[Example], list[Example]]:
    """Two parts that share nothing, the first with about this share of the examples; each keeps their order."""
    families = _families(examples)
    order = sorted(families)
    random.Random(seed).shuffle(order)
    first: set[int] = set()
    for family in order:
        if len(first) + len(families[family]) / 2 <= share * len(examples):
            first.update(families[family])
    return (
        [example for place, example in enumerate(examples) if place in first],
        [example for place, example in enumerate(examples) if place not in first],
    )


def _families(examples: Sequence[Example]) -> dict[int, list[int]]:
    """Places of examples that share a key, directly or by way of others, under the first of them."""
    parent = list(range(len(examples)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    holder: dict[str, int] = {}
    for place, example in enumerate(examples):
        for key in keys(example):
            one, other = root(holder.setdefault(key, place)), root(place)
            parent[max(one, other)] = min(one, other)
    families: dict[int, list[int]] = defaultdict(list)
    for place in range(len(examples)):
        families[root(place)].append(place)
    return families
