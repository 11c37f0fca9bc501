"""Long passages as the pieces that a reader can take in: a passage answers as its two best pieces do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.embeddings import Matrix
from core.language import sentences
from core.readers.pairs import titled
from core.schema import Evidence

Read = Callable[[Sequence[tuple[str, str]]], Matrix]

WINDOW_WORDS = 105
MOST_WINDOWS = 4
"""Pieces of one passage that are read: what it says later seldom answers."""
BEST = 2
"""How often the best piece counts beside the second: on 2,351 whole documents the best alone told less."""


def windows(text: str) -> list[str]:
    """Whole sentences, together as long as a reader takes in; the first ones of the text."""
    found: list[str] = []
    size = WINDOW_WORDS
    for sentence in sentences(text):
        words = len(sentence.text.split())
        if size + words > WINDOW_WORDS:
            found.append(sentence.text)
            size = words
        else:
            found[-1] += f" {sentence.text}"
            size += words
    return found[:MOST_WINDOWS] or [text]


def read_best(questions: Sequence[str], evidence: Sequence[Evidence], read: Read, most: int) -> list[float]:
    """The reader's output for each passage under its question, of its two best pieces; best passages given first.

    Every passage's beginning is read, then the next windows as long as no more than ``most`` are read in all.
    """
    cut = [windows(e.text) for e in evidence]
    jobs = sorted((n, place) for place, own in enumerate(cut) for n in range(len(own)))[: max(most, len(evidence))]
    outputs = read([(questions[place], titled(evidence[place].title, cut[place][n])) for n, place in jobs])[:, 0]
    found: list[list[float]] = [[] for _ in evidence]
    for (_, place), output in zip(jobs, outputs, strict=True):
        found[place].append(float(output))
    return [_of_best(own) for own in found]


def _of_best(outputs: Sequence[float]) -> float:
    best, *others = sorted(outputs, reverse=True)
    return (BEST * best + others[0]) / (BEST + 1) if others else best
