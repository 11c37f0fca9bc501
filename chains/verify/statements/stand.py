"""What a passage says of a claim by its statements."""

from __future__ import annotations

from dataclasses import dataclass, field

from chains.verify.statements.obstacle import Obstacle
from core.language.statement import Sentence


@dataclass(frozen=True, slots=True)
class Leaning:
    """How the nearest statement stands to a claim.

    ``joined`` is how much of subject and object it has, in [0, 1]; ``reversed`` whether it has them the other way
    round; ``sign`` is +1 where its relation is for the claim, −1 where it is against it; ``framed`` and ``limited``
    tell whether it is believed, asked or supposed, and whether it is of others than the claim.
    """

    joined: float = 0.0
    reversed: bool = False
    sign: int = 0
    framed: bool = False
    limited: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """What a passage says of a whole claim; ``deciding`` are the sentences that say it, ``why`` tells a reader.

    ``match`` is how much of the claim's relations it has, in [0, 1]; ``readable`` is false for a claim without a
    statement, of which a passage can say nothing in this way; ``unsettled`` is true where the passage says that this
    is not known.
    """

    supports: bool
    contradicts: bool
    match: float
    obstacle: Obstacle | None
    why: str
    deciding: tuple[Sentence, ...] = ()
    unsettled: bool = False
    leaning: Leaning = field(default_factory=Leaning)
    readable: bool = True


NOTHING_SAID = Stand(False, False, 0.0, None, "it does not say this")
UNREADABLE = Stand(False, False, 0.0, None, "the claim makes no statement that can be read", readable=False)
COPIED = Stand(True, False, 1.0, None, "")
"""Of a claim that stands in the passage word for word."""
FOREIGN_CLAIM = Stand(False, False, 0.0, "language", "the claim is not in English, which alone is read", readable=False)
FOREIGN_TEXT = Stand(False, False, 0.0, "language", "it is not in English, which alone is read")
