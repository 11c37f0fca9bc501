"""What the heading of a passage asks, beside what is asked: under another heading it answers less likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chains.relevance.subject import aspect_of
from core.schema import Evidence

_OTHERWISE = 0.6
"""What is left of a passage's worth under a heading that asks something else, where another's asks the same."""
_KIN = (
    frozenset({"causes", "risk factors", "genetic changes", "inheritance"}),
    frozenset({"outlook", "complications"}),
    frozenset({"treatment", "care", "uses"}),
    frozenset({"symptoms", "diagnosis"}),
    frozenset({"prevention", "risk factors"}),
)
"""Aspects of which one tells of the other too."""
_LIKELY = 0.5
"""Of the best passage's likelihood, what one under the heading that is asked needs to count."""


def by_heading(asked: str, likely: Mapping[str, float], evidence: Sequence[Evidence]) -> Mapping[str, float]:
    """How likely pieces answer, by id, where an aspect is asked, from how likely they do whatever their headings.

    What is under another heading is less likely, where something likely is under the one that asks for the aspect.
    """
    told = {e.id: aspect_of(e.title) for e in evidence if e.id in likely}
    least = _LIKELY * max((likely[piece] for piece in told), default=0.0)
    if not any(aspect == asked and likely[piece] >= least for piece, aspect in told.items()):
        return likely
    kin = frozenset({asked, ""}).union(*(kin for kin in _KIN if asked in kin))
    return {piece: p * (1.0 if told.get(piece, "") in kin else _OTHERWISE) for piece, p in likely.items()}
