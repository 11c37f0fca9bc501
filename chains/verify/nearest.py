"""Which windows of a passage come nearest to a claim by their words: the few that are worth embedding."""

from __future__ import annotations

from collections.abc import Mapping

from chains.verify.passage import Passage, Window
from chains.verify.wording import Wording
from core.rarity import Rarity

_TITLE = 0.6
_TALK = 0.15
_SECOND = 0.03


def weights_of(claim: Wording, rarity: Rarity) -> dict[str, float]:
    """The stems of a claim with their rarity."""
    return {stem: rarity(stem) for stem in claim.stems}


def nearest(weights: Mapping[str, float], passage: Passage, count: int) -> list[tuple[float, Window]]:
    """The best windows with their scores, best first; ties keep the order of the text.

    The score is the weighted share of the claim in the window, a word of the title counting 0.6, with a small gain
    for windows that say little else and a small loss for a second sentence that adds nothing.
    """
    total = sum(weights.values()) or 1.0
    title = passage.title.stems
    known = {stem: weight for stem, weight in weights.items() if passage.holds(stem)}
    scored: list[tuple[float, Window]] = []
    for window in passage.windows:
        found = titled = 0.0
        shared = 0
        for stem, weight in known.items():
            held = window.holds(stem)
            found += weight * held
            shared += held > 0
            if not held and stem in title:
                titled += weight
        talk = shared / max(1, len(window.wording.stems))
        scored.append(((found + _TITLE * titled) / total + _TALK * talk - _SECOND * window.sentences, window))
    scored.sort(key=lambda pair: -pair[0])
    return scored[:count]
