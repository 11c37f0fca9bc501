"""What a signal looks at: one claim beside one window of one passage."""

from __future__ import annotations

from dataclasses import dataclass

from chains.verify.passage import Passage, Window
from chains.verify.reading import Reading
from core.rarity import Rarity


@dataclass(frozen=True, eq=False)
class Comparison:
    """A claim, the window of a passage that comes nearest to it, and the passage around that window.

    ``similarity`` is the cosine of claim and window, ``counter_similarity`` that of the claim turned into its opposite;
    both are None where nothing was embedded. ``subject`` and ``object`` are those of the
    claim, as it writes them.
    """

    claim: Reading
    window: Window
    passage: Passage
    rarity: Rarity
    subject: str | None = None
    object: str | None = None
    similarity: float | None = None
    counter_similarity: float | None = None
