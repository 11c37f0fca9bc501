"""Places in a text that speak to a model, and evidence that holds any set aside.

Cues cannot know every wording: what they miss is shown as data, and its demands meet the checks on the reply.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from chains.guard.cues import Cue, compliance_cues, demand_cues, planted_cues
from chains.guard.folding import Folded
from chains.guard.shown import HIDDEN_STYLE
from core.schema import Evidence

_REACH_BEFORE = 80
_REACH_AFTER = 240
"""Characters around a planted place in which its demand is looked for."""
_SMUGGLED = re.compile(
    "[\U000e0020-\U000e007f]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|[\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]{4,}"
    "|[\u202d\u202e]"
)
"""Tag characters, runs of selectors or of zero-width characters, and reversed text: nothing that a page needs."""
_BLOB_CHARS = 40
_BLOB = re.compile(rf"(?<![\w+/=.])[A-Za-z0-9+/]{{{_BLOB_CHARS},}}={{0,2}}(?![\w+/=])")
_READABLE = 0.9
"""Of a blob's bytes, for it to be a text in disguise."""


class Planted(NamedTuple):
    """A place in a text, in code points, that addresses the model."""

    start: int
    end: int
    kind: str


class Demand(NamedTuple):
    """What planted text wants: a ``choice``, or words to ``say``, both folded."""

    kind: str
    wanted: str


def planted(text: str) -> tuple[Planted, ...]:
    """The places that address the model, in order; those of one kind do not overlap."""
    return _in_order([*_hidden(text), *_found(Folded(text), planted_cues())])


def compliant(answer: str) -> tuple[Planted, ...]:
    """Places in an answer that only one who obeys a planted text writes."""
    return _in_order(_found(Folded(answer), (*planted_cues(), *compliance_cues())))


def demands(text: str) -> tuple[Demand, ...]:
    """What the planted places of a text want said or chosen, where they name it."""
    folded = Folded(text)
    found: list[Demand] = []
    for place in planted(text):
        near = folded.text[max(0, folded.offset(place.start) - _REACH_BEFORE) : folded.offset(place.end) + _REACH_AFTER]
        for cue in demand_cues():
            for match in cue.pattern.finditer(near):
                wanted = next(group for group in match.groups() if group is not None)
                found.append(Demand(cue.kind, " ".join(wanted.split()).strip(" .!?,")))
    return tuple(dict.fromkeys(demand for demand in found if demand.wanted))


def quarantine(evidence: Sequence[Evidence]) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """The evidence that addresses nobody, unchanged, and a notice for each piece that was set aside whole."""
    aside = dict.fromkeys(e.id for e in evidence if planted(whole(e)))
    notices = (f"{id_} holds text that addresses the model, and was set aside" for id_ in aside)
    return tuple(e for e in evidence if e.id not in aside), tuple(notices)


def whole(evidence: Evidence) -> str:
    """All of a piece that a model may read."""
    return f"{evidence.title}\n{evidence.text}" if evidence.title else evidence.text


def _found(folded: Folded, cues: Iterable[Cue]) -> Iterator[Planted]:
    for cue in cues:
        if any(need in folded.text for need in cue.needs):
            for match in cue.pattern.finditer(folded.text):
                last = max(match.start(), match.end() - 1)
                yield Planted(folded.place(match.start()), folded.place(last) + 1, cue.kind)


def _hidden(text: str) -> Iterator[Planted]:
    """What no reader of the page sees: smuggled characters, hidden elements with words, encoded text."""
    if not text.isascii():
        for match in _SMUGGLED.finditer(text):
            yield Planted(match.start(), match.end(), "hidden")
    if "<" in text:
        for match in HIDDEN_STYLE.finditer(text):
            if len(match.group(2).split()) > 1:
                yield Planted(match.start(2), match.end(2), "hidden")
    long_words = any(len(word) >= _BLOB_CHARS for word in text.split())
    for match in _BLOB.finditer(text) if long_words else ():
        if _is_readable(match.group()):
            yield Planted(match.start(), match.end(), "encoded")


def _is_readable(blob: str) -> bool:
    """Whether base64 hides a text in it; a sequence or a long word decodes to noise."""
    bare = blob.rstrip("=")
    try:
        decoded = base64.b64decode(bare[: len(bare) // 4 * 4], validate=True)
    except binascii.Error:
        return False
    return sum(32 <= byte < 127 for byte in decoded) >= _READABLE * len(decoded)


def _in_order(places: Iterable[Planted]) -> tuple[Planted, ...]:
    kept: list[Planted] = []
    ends: dict[str, int] = {}
    for place in sorted(places):
        if place.start >= ends.get(place.kind, 0):
            kept.append(place)
            ends[place.kind] = place.end
    return tuple(kept)
