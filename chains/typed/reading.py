"""The likeliest reading of a sentence of words, each of which may stand for others.

A noisy channel (Kernighan, Church and Gale 1990): what was typed costs by its errors, what is read by how people put
words beside each other; the cheapest path is found by beam search over the two words before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chains.typed.phrases import END, START, UNKNOWN, Phrases

BEAM = 24


class Way(NamedTuple):
    """One way to read the next ``tokens`` typed words: as ``words`` in lower case, at a cost in natural logarithms."""

    words: tuple[str, ...]
    cost: float = 0.0
    tokens: int = 1


_Path = tuple["_Path", Way] | None
"""The last way of a path after the path before it."""


def likeliest(ways: Sequence[Sequence[Way]], phrases: Phrases) -> list[Way]:
    """The ways that together are likeliest, in order; ``ways`` has those that begin at each typed word."""
    beams: list[dict[tuple[str, str], tuple[float, _Path]]] = [{} for _ in range(len(ways) + 1)]
    beams[0][START, START] = (0.0, None)
    for place, here in enumerate(ways):
        for before, (cost, path) in sorted(beams[place].items(), key=lambda kept: kept[1][0])[:BEAM]:
            for way in here:
                after, total = before, cost + way.cost
                for word in way.words:
                    known = word if word in phrases else UNKNOWN
                    total -= phrases.log_probability(known, after)
                    after = (after[1], known)
                kept = beams[place + way.tokens].get(after)
                if kept is None or total < kept[0]:
                    beams[place + way.tokens][after] = (total, (path, way))
    ends = ((cost - phrases.log_probability(END, before), path) for before, (cost, path) in beams[-1].items())
    path, found = min(ends, key=lambda end: end[0])[1], list[Way]()
    while path is not None:
        path, way = path
        found.append(way)
    return found[::-1]
