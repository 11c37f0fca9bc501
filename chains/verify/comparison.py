"""What a signal looks at: one claim beside one window of one passage."""

from __future__ import annotations

from dataclasses import dataclass

from chains.verify.passage import Passage, Window
from chains.verify.statements.stand import NOTHING_SAID, Stand
from chains.verify.wording import Wording
from core.language.statement import Word
from core.rarity import Rarity
from core.readers.entailment import Entailed


@dataclass(frozen=True, eq=False)
class Comparison:
    """A claim, the window of a passage that comes nearest to it, and the passage around that window.

    ``similarity`` is the cosine of claim and window, ``counter_similarity`` that of the claim turned into its opposite;
    both are None where nothing was embedded. ``subject`` and ``object`` are those of the
    claim, as it writes them. ``claim_words`` and ``window_words`` are the words of both as read, ``stand`` is what the
    passage's statements say of the claim, ``looked_at`` how many sentences there were to look at in all the evidence,
    ``entailed`` what the reader that has learned makes of the passage, None where it was not asked.
    """

    claim: Wording
    window: Window
    passage: Passage
    rarity: Rarity
    subject: str | None = None
    object: str | None = None
    similarity: float | None = None
    counter_similarity: float | None = None
    claim_words: tuple[Word, ...] = ()
    window_words: tuple[Word, ...] = ()
    stand: Stand = NOTHING_SAID
    looked_at: int = 1
    entailed: Entailed | None = None
