"""Runs of a text's words that are names: every run at once, by subtraction of running sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.linking.forms import MASK
from tools.knowledge.linking.index import COLUMNS, EXACT_CASE, PLACES, UNLINKED, weights
from tools.knowledge.linking.reading import Reading

LONGEST_NAME = 12
"""Words of content of a name that are looked for in text."""
WRITTEN_SCORE, FORMS_SCORE, REORDERED_SCORE = 1.0, 0.95, 0.9

_WEIGHTS = weights()
_SLOTS_A_NAME = 16

Numbers = NDArray[np.uint64]


class Match(NamedTuple):
    """Words ``first`` to ``last`` of a reading's words of content, and the row of the index that they are."""

    first: int
    last: int
    row: int
    score: float


class Run(Protocol):
    """Words in a row, and how well they are a name."""

    @property
    def first(self) -> int:
        """The first word's place."""
        ...

    @property
    def last(self) -> int:
        """The last word's place."""
        ...

    @property
    def score(self) -> float:
        """1 for a name as it is written, less for its forms."""
        ...


R = TypeVar("R", bound=Run)


class NameIndex:
    """The index's columns in memory, and a filter that most runs of words do not pass."""

    def __init__(self, arrays: Callable[[str], NDArray[np.generic]]) -> None:
        """Read the columns through this function."""
        columns = {name: arrays(name).astype(dtype, copy=False) for name, dtype in COLUMNS}
        self.bag: Numbers = columns["bag"]
        self.order, self.written = columns["order"], columns["written"]
        self.concept, self.name = columns["concept"], columns["name"]
        self.rank, self.mode, self.length = columns["rank"], columns["mode"], columns["length"]
        bits = max(10, int(len(self.bag) * _SLOTS_A_NAME).bit_length())
        self._shift = np.uint64(64 - bits)
        self._filled = np.zeros(1 << bits, bool)
        self._filled[self.bag >> self._shift] = True

    def rows(self, bag: int) -> range:
        """Rows of the names with this sum."""
        number = np.uint64(bag)
        return range(*(int(np.searchsorted(self.bag, number, side)) for side in ("left", "right")))

    def present(self, numbers: Numbers) -> Iterator[tuple[int, range]]:
        """Places of those sums that names have, each with the names' rows."""
        likely = np.flatnonzero(self._filled[numbers >> self._shift])
        if len(likely):
            sums = numbers[likely]
            low = np.searchsorted(self.bag, sums, "left").tolist()
            high = np.searchsorted(self.bag, sums, "right").tolist()
            for place, first, end in zip(likely.tolist(), low, high, strict=True):
                if first < end:
                    yield place, range(first, end)


def matches(reading: Reading, index: NameIndex) -> list[Match]:
    """Every run of a reading's words that is a name that may be linked, the best row for each."""
    found: list[Match] = []
    if not len(reading.among):
        return found
    total = np.zeros(len(reading.among) + 1, np.uint64)
    np.cumsum(reading.among, out=total[1:])
    for place, rows in index.present(reading.alone):
        if match := _best(reading, index, place, place, rows):
            found.append(match)
    for length in range(2, min(LONGEST_NAME, len(reading.among)) + 1):
        sums = total[length:] - total[:-length]
        together = reading.segment[length - 1 :] == reading.segment[: len(sums)]
        for place, rows in index.present(sums):
            if together[place] and (match := _best(reading, index, place, place + length - 1, rows)):
                found.append(match)
    return found


def _best(reading: Reading, index: NameIndex, first: int, last: int, rows: range) -> Match | None:
    """The row that is written most alike; of these the best kind of name, then the first concept."""
    exact, lower, order = _letters(reading, first, last)
    best: tuple[float, int, int, int] | None = None
    ambiguous: set[int] = set()
    for row in rows:
        mode = int(index.mode[row])
        if mode == UNLINKED:
            continue
        written = int(index.written[row])
        if mode == EXACT_CASE:
            if written != exact:
                continue
            score = WRITTEN_SCORE
            ambiguous.add(int(index.concept[row]))
        elif written == lower:
            score = WRITTEN_SCORE
        elif int(index.order[row]) == order:
            score = FORMS_SCORE
        elif reading.reorderable(first, last):
            score = REORDERED_SCORE
        else:
            continue
        key = (-score, int(index.rank[row]), int(index.concept[row]), row)
        best = key if best is None or key < best else best
    if best is None or (len(ambiguous) > 1 and best[1] > 0):
        return None
    return Match(first, last, best[3], -best[0])


def _letters(reading: Reading, first: int, last: int) -> tuple[int, int, int]:
    """Numbers of a run as written, in small letters, and of its forms in their order."""
    start, end = reading.place[first], reading.place[last] + 1
    exact = lower = order = 0
    for n, form in enumerate(reading.forms[start:end]):
        weight = _WEIGHTS[min(n, PLACES - 1)]
        exact += form.exact * weight
        lower += form.lower * weight
    if first == last:
        order = reading.forms[start].alone
    else:
        for n in range(first, last + 1):
            order += reading.forms[reading.place[n]].among * _WEIGHTS[min(n - first, PLACES - 1)]
    return exact & MASK, lower & MASK, order & MASK


def longest_first(found: Iterable[R]) -> list[R]:
    """Keep runs that do not overlap: of two that do the longer, then the better written, then the first."""
    taken: set[int] = set()
    kept = []
    for run in sorted(found, key=lambda run: (run.first - run.last, -run.score, run.first)):
        span = range(run.first, run.last + 1)
        if taken.isdisjoint(span):
            taken.update(span)
            kept.append(run)
    return sorted(kept, key=lambda run: run.first)


def named(reading: Reading, index: NameIndex) -> list[int]:
    """Concepts that the whole of a reading names, in any way: those written alike first, then in the words' order."""
    if not len(reading.among):
        return []
    last = len(reading.among) - 1
    bag = int(reading.alone[0]) if last == 0 else int(reading.among.sum(dtype=np.uint64))
    exact, lower, order = _letters(reading, 0, last)
    best: dict[int, tuple[int, int, int]] = {}
    for row in index.rows(bag):
        alike = 0 if int(index.written[row]) in (exact, lower) else 1 if int(index.order[row]) == order else 2
        key = (alike, int(index.mode[row]) == UNLINKED, int(index.rank[row]))
        concept = int(index.concept[row])
        best[concept] = min(key, best.get(concept, key))
    return sorted(best, key=lambda concept: (best[concept], concept))
