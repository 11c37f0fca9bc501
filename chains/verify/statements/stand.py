"""What a passage says of a claim by its statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.language.statement import Sentence

Obstacle = Literal["frame", "doubt", "scope", "often", "quantity", "lacks"]
"""What keeps a statement with the claim's relation from attesting it."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What a passage says of a whole claim; ``deciding`` are the sentences that say it, ``why`` tells a reader.

    ``match`` is how much of the claim's relations it has, in [0, 1]; ``readable`` is false for a claim without a
    statement, of which a passage can say nothing in this way; ``unsettled`` is true where the passage says that it is not known.
    """

    supports: bool
    contradicts: bool
    match: float
    obstacle: Obstacle | None
    why: str
    deciding: tuple[Sentence, ...] = ()
    unsettled: bool = False
    readable: bool = True


NOTHING_SAID = Stand(False, False, 0.0, None, "it does not say this")
UNREADABLE = Stand(False, False, 0.0, None, "the claim makes no statement that can be read", readable=False)
COPIED = Stand(True, False, 1.0, None, "")
"""Of a claim that stands in the passage word for word."""
