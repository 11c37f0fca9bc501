"""The index of all names of a store: sorted arrays of numbers, small enough to read whole when a process starts.

A row is a name. ``bag`` is the sum of its words' numbers and sorts the rows; ``order`` is that sum with every word
weighted by its place, ``written`` the same over its letters; ``concept`` and ``name`` are rows of the store;
``rank`` orders the kinds of names, ``mode`` says how it is looked for in text.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text import STOPWORDS
from tools.knowledge.linking.forms import MASK, PART, form, singular_of, without_possessives

UNLINKED, FOLDED, EXACT_CASE = 0, 1, 2
KINDS = ("preferred", "heading", "exact", "layperson", "spelling", "plural", "derived", "abbreviation")
"""Kinds of names that are looked for in text, those that decide between concepts first; others are looked up only."""

COLUMNS = (
    ("bag", "<u8"),
    ("order", "<u8"),
    ("written", "<u8"),
    ("concept", "<u4"),
    ("name", "<u4"),
    ("rank", "u1"),
    ("mode", "u1"),
    ("length", "u1"),
)
ROW = np.dtype(list(COLUMNS))
PLACES = 64
"""Words of a name that are told apart by their place; further ones share the last."""

_WEIGHT = 0xD6E8FEB86659FD93
_BUCKET_BITS = 5
_RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
_SHORT = 6
_END = "\0"
_PART_OR_END = re.compile(rf"{PART.pattern}|{_END}")

Rows = NDArray[Any]
Numbers = NDArray[np.uint64]


class NamedRow(NamedTuple):
    """A name to be indexed; ``single_words`` is False where single words of its branch are plain English."""

    text: str
    kind: str
    concept: int
    linked: bool
    single_words: bool


def weights() -> list[int]:
    """Return the weights of a word's places in a name."""
    found = [1]
    while len(found) < PLACES:
        found.append(found[-1] * _WEIGHT & MASK)
    return found


_WEIGHTS = np.array(weights(), dtype=np.uint64)


class IndexBuilder:
    """Collects names in parts and sorts them in buckets on disk: memory does not grow with their number."""

    def __init__(self, folder: Path) -> None:
        """Keep buckets in a folder below this one, which no second builder uses; ``close`` removes it."""
        self._folder = folder / "names.sorting"
        shutil.rmtree(self._folder, ignore_errors=True)  # a killed builder's
        self._folder.mkdir()
        paths = [self._folder / f"{n:02}" for n in range(1 << _BUCKET_BITS)]
        self._buckets = [path.open("w+b") for path in paths]
        self._count = 0
        self._numbers: list[Numbers] = []
        self.words: set[str] = set()
        """Plain words of names that are looked for in text: what spelling is corrected to."""

    def add(self, names: Sequence[NamedRow]) -> list[int]:
        """Index names, numbered from 1 on; return their link modes."""
        table = _table(names)
        rows = table.rows(names, self._count + 1)
        self._count += len(names)
        self.words |= table.plain_words(rows["mode"] == FOLDED)
        self._numbers.append(np.unique(table.among))
        buckets = rows["bag"] >> np.uint64(64 - _BUCKET_BITS)
        order = np.argsort(buckets, kind="stable")
        bounds = np.searchsorted(buckets[order], np.arange(len(self._buckets) + 1, dtype=np.uint64))
        for bucket, start, end in zip(self._buckets, bounds, bounds[1:], strict=False):
            bucket.write(rows[order[start:end]].tobytes())
        modes: list[int] = rows["mode"].tolist()
        return modes

    def sorted_rows(self) -> Iterator[Rows]:
        """Yield all rows in the order of their bags; of equal rows of one concept only that of the best kind."""
        for bucket in self._buckets:
            bucket.seek(0)
            rows = np.frombuffer(bucket.read(), ROW)
            rows = rows[np.lexsort((rows["name"], rows["rank"], rows["concept"], rows["written"], rows["bag"]))]
            if len(rows):
                again = np.ones(len(rows), bool)
                again[0] = False
                for column in ("bag", "order", "written", "concept"):
                    again[1:] &= rows[column][1:] == rows[column][:-1]
                rows = rows[~again]
            yield rows[rows["length"] > 0]

    def vocabulary(self) -> Numbers:
        """Return the numbers of all words that names hold, sorted."""
        found: Numbers = np.unique(np.concatenate([np.zeros(0, np.uint64), *self._numbers]))
        return found

    def close(self) -> None:
        """Remove the buckets."""
        for bucket in self._buckets:
            bucket.close()
        shutil.rmtree(self._folder)


class _Words(dict[str, int]):
    """Numbers words as they come."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def _table(names: Sequence[NamedRow]) -> _Table:
    known = _Words({_END: 0})
    text = "".join([f"{name.text.replace(_END, ' ')}{_END}" for name in names])
    flat = np.array([known[word] for word in _PART_OR_END.findall(without_possessives(text))], np.int64)
    ends = np.flatnonzero(flat == 0)
    counts = np.diff(ends, prepend=-1) - 1
    return _Table(list(known), flat[flat != 0], counts)


class _Table:
    """The words of many names as flat arrays: name after name, word after word."""

    def __init__(self, words: list[str], flat: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        self.words = words
        numbers = chain.from_iterable(map(form, words))
        forms = np.fromiter(numbers, np.uint64, 4 * len(words)).reshape(-1, 4)
        self.flat, self.counts = flat, counts
        self.of = np.repeat(np.arange(len(counts)), counts)
        self.alone, self.among, self.lower, self.exact = (forms[flat, n] for n in range(4))
        self.letters = np.array([len(word) for word in words], np.int64)[flat] if words else flat

    def rows(self, names: Sequence[NamedRow], first: int) -> Rows:
        """Return a row for each name; a name without words of content has length 0."""
        rows = np.zeros(len(names), ROW)
        content = self.among != 0
        length = np.bincount(self.of, content.astype(float), len(names)).astype(np.int64)
        rows["length"] = np.minimum(length, 255)
        rows["name"] = np.arange(first, first + len(names))
        rows["concept"] = [name.concept for name in names]
        rows["rank"] = [_RANKS.get(name.kind, len(KINDS)) for name in names]
        rows["mode"] = modes = self._modes(names, length)
        single = (length == 1)[self.of]
        number = np.where(single, self.alone, self.among) * content
        rows["bag"] = self._sums(number)
        place = np.cumsum(content) - content
        rows["order"] = self._sums(number * self._weights(place))
        inner = self._inner(content)
        place = np.cumsum(inner) - inner
        letters = np.where((modes == EXACT_CASE)[self.of], self.exact, self.lower)
        rows["written"] = self._sums(np.where(inner, letters * self._weights(place), np.uint64(0)))
        return rows

    def plain_words(self, names: NDArray[np.bool_]) -> set[str]:
        """Return the singulars of the words of letters that these names hold."""
        chosen = np.unique(self.flat[names[self.of]])
        found = (self.words[n] for n in chosen.tolist())
        return {singular_of(word) for word in found if word.isalpha() and word.isascii()}

    def _inner(self, content: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which words stand between a name's first and last word of content, these included."""
        places = np.arange(len(content))
        low = np.full(len(self.counts), len(content))
        high = np.full(len(self.counts), -1)
        np.minimum.at(low, self.of[content], places[content])
        np.maximum.at(high, self.of[content], places[content])
        return (places >= low[self.of]) & (places <= high[self.of])

    def _weights(self, place: NDArray[np.int64]) -> Numbers:
        """Weights of words by their place in their name, from a running count over all names."""
        starts = np.cumsum(self.counts) - self.counts
        offset = np.zeros(len(self.counts), np.int64)
        filled = self.counts > 0
        offset[filled] = place[starts[filled]]
        chosen: Numbers = _WEIGHTS[np.minimum(place - offset[self.of], PLACES - 1)]
        return chosen

    def _sums(self, numbers: Numbers) -> Numbers:
        """Sums a name, modulo 2^64."""
        total = np.zeros(len(numbers) + 1, np.uint64)
        np.cumsum(numbers, out=total[1:])
        ends = np.cumsum(self.counts)
        sums: Numbers = total[ends] - total[ends - self.counts]
        return sums

    def _modes(self, names: Sequence[NamedRow], length: NDArray[np.int64]) -> NDArray[np.uint8]:
        """How names are looked for in text: not at all, by their forms, or exactly as they are written.

        Short all-capital names and abbreviations mean themselves only in their own case, and with two letters mean too
        much; plain English words mean themselves.
        """
        n = len(names)
        stop = self._flag([word.lower() in STOPWORDS for word in self.words])
        upper = self._flag([word.upper() == word for word in self.words])
        common = self._flag([word.isdigit() or singular_of(word) in common_words() for word in self.words])
        letters = np.bincount(self.of, (self.letters * (self.among != 0)).astype(float), n)
        sole = length == 1
        stopped = np.bincount(self.of, stop.astype(float), n) == self.counts
        capital = (letters <= _SHORT) & (np.bincount(self.of, upper.astype(float), n) == self.counts)
        exact = capital | np.array([name.kind == "abbreviation" for name in names], bool)
        linked = np.array([name.linked and name.kind in _RANKS for name in names], bool)
        plain = np.array([not name.single_words for name in names], bool) | (
            np.bincount(self.of, common.astype(float), n) > 0
        )
        modes = np.where(exact, EXACT_CASE, FOLDED)
        modes[~linked | (length == 0) | (letters < 3) | stopped | (sole & ~exact & plain)] = UNLINKED
        return modes.astype(np.uint8)

    def _flag(self, flags: Iterable[bool]) -> NDArray[np.bool_]:
        return np.fromiter(flags, bool, len(self.words))[self.flat] if self.words else np.zeros(0, bool)


@cache
def common_words() -> frozenset[str]:
    """Singulars of the words that are names of concepts and plain English besides."""
    text = files("tools.knowledge.linking").joinpath("common_words.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
