"""How likely a passage supports a claim, and how likely it contradicts it, as a reader that has learned reads them.

A short passage is read whole: what it says before and after a sentence decides what that sentence says. Of a longer one
the runs of sentences nearest to the claim are read; it supports as strongly as the one that supports most, and
contradicts likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.language import sentences
from core.readers.pairs import titled
from core.readers.reader import FOLDER, Matrix, Reader

NAME: Final = "entailment"
WHOLE_WORDS: Final = 115
"""A passage of no more words, its title included, is read whole: with a claim they fill the reader's room."""
WINDOW_SENTENCES: Final = 3
MOST_WINDOWS: Final = 2
"""Runs of sentences that are read of a longer one: those that share most of the claim's words."""


class Entailed(NamedTuple):
    """The reader's two probabilities for a passage; what is left to 1 is neither, where they are of one window."""

    supported: float
    contradicted: float


class EntailmentReader:
    """Reads claims beside passages; safe to call from several threads."""

    def __init__(self, reader: Reader) -> None:
        """Take the reader that gives the three outputs."""
        self._reader = reader

    @classmethod
    def load(cls, threads: int, folder: Path = FOLDER) -> EntailmentReader:
        """The one that ships; raise DataMissing where its file is missing, damaged, or of another embedder."""
        return cls(Reader.load(NAME, threads, folder))

    def __call__(self, claim: str, passage: str, title: str = "") -> Entailed:
        """What one passage says of one claim."""
        return self.read([(claim, passage, title)])[0]

    def read(self, asked: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        """What each passage says of its claim; each is (claim, passage, title)."""
        parts = [windows(*one) for one in asked]
        pairs = [(a[0], titled(a[2], part)) for a, cut in zip(asked, parts, strict=True) for part in cut]
        odds = self._reader.outputs(pairs) if pairs else np.zeros((0, 3), dtype=np.float32)
        chances, found, start = _softmax(odds), list[Entailed](), 0
        for cut in parts:
            own = chances[start : start + len(cut)]
            found.append(Entailed(float(own[:, 0].max()), float(own[:, 1].max())) if len(cut) else Entailed(0.0, 0.0))
            start += len(cut)
        return found


def read_at_once(passage: str, title: str = "") -> bool:
    """Whether a passage is short enough to be read whole."""
    return len(titled(title, passage).split()) <= WHOLE_WORDS


def windows(claim: str, passage: str, title: str = "") -> list[str]:
    """The whole of a short passage; of a longer one the runs of three sentences nearest to the claim's words."""
    if read_at_once(passage, title):
        return [" ".join(passage.split())] if passage.strip() else []
    told = [" ".join(text.split()) for text in _sentences(passage) if text.strip()]
    places = range(max(1, len(told) - WINDOW_SENTENCES + 1))
    runs = [" ".join(told[place : place + WINDOW_SENTENCES]) for place in places]
    words = set(claim.lower().split())
    nearest = sorted(places, key=lambda place: (-_share(words, runs[place]), place))[:MOST_WINDOWS]
    return [runs[place] for place in sorted(nearest)]


@lru_cache(maxsize=1_024)
def _sentences(passage: str) -> tuple[str, ...]:
    """The sentences of a passage; equal texts are divided once a process (a bounded memory)."""
    return tuple(sentence.text for sentence in sentences(passage))


def _share(words: set[str], text: str) -> float:
    """The claim's words in a text, a little less for a longer one."""
    told = text.lower().split()
    return len(words.intersection(told)) - len(told) / 1000


def _softmax(odds: Matrix) -> Matrix:
    if not len(odds):
        return odds
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    chances: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return chances
