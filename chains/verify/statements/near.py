"""The sentences of a passage that come near a claim, with their neighbours, read: the others are not parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from chains.verify.passage import Passage, Window
from chains.verify.statements.stand import Stand
from core import language
from core.language.statement import Reading, Word

_WHOLE = 6
_ASSERTED = frozenset({"stated", "shown"})
_OPEN = frozenset({"asked", "hypothetical"})


class Run(NamedTuple):
    """Neighbouring sentences of a passage as read; ``start`` is where they begin in it."""

    start: int
    reading: Reading


@lru_cache(maxsize=4_096)
def read(text: str, title: str = "") -> Reading:
    """A text as read; equal texts are parsed once a process (a bounded memory)."""
    return language.read(text, title)


def near_runs(passage: Passage, near: Sequence[Window], title: str) -> list[Run]:
    """The runs of sentences around the nearest windows; a short passage is read whole."""
    single = passage.sentences
    wanted: set[int] = set(range(len(single))) if len(single) <= _WHOLE else set()
    if not wanted:
        for place, window in enumerate(single):
            if any(chosen.start <= window.start < chosen.end for chosen in near):
                wanted.update((place - 1, place, place + 1))
    places = sorted(place for place in wanted if 0 <= place < len(single))
    runs: list[Run] = []
    for _, group in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
        chosen = [single[place] for _, place in group]
        start, end = chosen[0].start, chosen[-1].end
        runs.append(Run(start, read(passage.text[start:end], title)))
    return runs


def words_of(window: Window, runs: Sequence[Run]) -> tuple[Word, ...]:
    """The words of a window as they were read."""
    return tuple(
        word
        for run in runs
        for sentence in run.reading.sentences
        if window.start < run.start + sentence.end and run.start + sentence.start < window.end
        for word in sentence.words
    )


def words_in(reading: Reading) -> tuple[Word, ...]:
    """All words of a text."""
    return tuple(word for sentence in reading.sentences for word in sentence.words)


def asserted(window: Window, runs: Sequence[Run]) -> Iterator[str]:
    """The texts that a sentence asserts as they stand: itself, and its main clauses that nobody merely believes."""
    for run in runs:
        following = (*run.reading.sentences[1:], None)
        for sentence, after in zip(run.reading.sentences, following, strict=True):
            inside = window.start <= run.start + sentence.start and run.start + sentence.end <= window.end
            if not inside or (after is not None and after.takes_back):
                continue
            yield sentence.text
            for statement in sentence.statements:
                if statement.main and statement.attribution in _ASSERTED and statement.modality not in _OPEN:
                    yield run.reading.text[statement.start : statement.end]


def deciding_window(passage: Passage, runs: Sequence[Run], stood: Stand) -> Window | None:
    """The sentence of a passage that decides, or two where two neighbours do; None where nothing decides."""
    places = [
        run.start + sentence.start
        for run in runs
        for sentence in run.reading.sentences
        if any(sentence is deciding for deciding in stood.deciding)
    ]
    holding = [w for w in passage.windows if places and w.start <= places[0] < w.end]
    both = [w for w in holding if all(w.start <= place < w.end for place in places)]
    return min(both or holding, key=lambda window: window.sentences, default=None)
