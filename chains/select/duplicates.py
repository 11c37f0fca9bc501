"""The same thing found twice: by its id, by an id of the same work elsewhere, or by nearly the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.schema import Evidence
from core.text import terms

SHINGLE = 5
"""Words in a row by which texts are compared."""
ALIKE = 0.85
"""Share of the shorter text's runs of words that two nearly identical texts have in common."""
SIZE_RATIO = 0.7
"""A text is not nearly the same as one that is much longer: that one says more."""


def distinct_evidence(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each piece once, in the order found; a certified copy stands for others, otherwise the first one found.

    Passages of one document are different pieces, however alike. What is said of one copy (retracted, a notice) is true
    of the one that stays.
    """
    kept: list[Evidence] = []
    place_of: dict[str, int] = {}
    shingles: list[frozenset[tuple[str, ...]]] = []
    holders: dict[tuple[str, ...], list[int]] = {}
    for evidence in found:
        own = _shingles(evidence.text)
        same = next((place_of[key] for key in _keys(evidence) if key in place_of), None)
        if same is None:
            same = _nearly(evidence, own, kept, shingles, holders)
        if same is None:
            same = len(kept)
            kept.append(evidence)
            shingles.append(own)
            for shingle in own:
                holders.setdefault(shingle, []).append(same)
        else:
            kept[same] = _one(kept[same], evidence)
        for key in _keys(evidence):
            place_of.setdefault(key, same)
    return tuple(kept)


def _one(first: Evidence, second: Evidence) -> Evidence:
    chosen = second if second.certified and not first.certified else first
    retracted = first.retracted or second.retracted
    notice = chosen.notice or first.notice or second.notice
    same = retracted == chosen.retracted and notice == chosen.notice
    return chosen if same else chosen.model_copy(update={"retracted": retracted, "notice": notice})


def _keys(evidence: Evidence) -> Iterator[str]:
    yield evidence.id
    yield from evidence.same_as
    yield "text " + " ".join(evidence.text.lower().split())


def _nearly(
    evidence: Evidence,
    own: frozenset[tuple[str, ...]],
    kept: list[Evidence],
    shingles: list[frozenset[tuple[str, ...]]],
    holders: dict[tuple[str, ...], list[int]],
) -> int | None:
    shared: dict[int, int] = {}
    for shingle in own:
        for place in holders.get(shingle, ()):
            shared[place] = shared.get(place, 0) + 1
    document = evidence.id.partition("#")[0]
    for place, count in shared.items():
        small, large = sorted((len(own), len(shingles[place])))
        if kept[place].id.partition("#")[0] != document and small >= SIZE_RATIO * large and count >= ALIKE * small:
            return place
    return None


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    found = terms(text)
    return frozenset(zip(*(found[n:] for n in range(SHINGLE)), strict=False))
