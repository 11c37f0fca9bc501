"""Pieces of passages that may be told, and which of them, together, are worth telling of each passage."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from chains.answer.passages import VOCABULARIES
from chains.answer.sentences import Unit
from chains.relevance.subject import divided, read_passage
from core.text import words

_PADDING, _LEADING = 0.25, 0.5
"""Of the best sentence's worth, what one after it needs to be told with it, and what one before it: that would stand
before the answer."""
_APART = 0.8
"""The same of one further down, apart from the run."""
_SECTION = 0.7
"""Of the worth of a run, what one before it in its section needs to open in its place."""


class Candidate(NamedTuple):
    """A piece of a passage with its place among all candidates and what it is worth."""

    unit: Unit
    place: int
    worth: float


def best_run(candidates: Sequence[Candidate], most_words: int) -> list[Candidate]:
    """The sentences around the best one, the better neighbour first, as many as a run has room for.

    One that leans on the sentence before it stands after that, also where that one leans on what is not in the passage.
    What answers about as well further down is told too. What a vocabulary lists is a run as a whole.
    """
    if candidates[0].unit.evidence.source in VOCABULARIES:
        return list(candidates)
    start = best = max(range(len(candidates)), key=lambda place: candidates[place].worth)
    end = best + 1
    while start > 0 and candidates[start].unit.dangling:
        start -= 1
    left = most_words - sum(map(length, candidates[start:end]))

    def fits(place: int) -> bool:
        if not 0 <= place < len(candidates) or length(candidates[place]) > left:
            return False
        return candidates[place].worth >= (_LEADING if place < best else _PADDING) * candidates[best].worth

    while neighbours := list(filter(fits, (start - 1, end))):
        place = max(neighbours, key=lambda place: candidates[place].worth)
        left -= length(candidates[place])
        start, end = min(start, place), max(end, place + 1)
    led = start < best and all(candidates[place].unit.dangling for place in range(start, best + 1))
    if not led:  # what the first leans on is not in the passage
        while end - start > 1 and candidates[start].unit.dangling:
            start += 1
    run = list(candidates[start:end])
    for later in candidates[end:]:
        if later.worth >= _APART * candidates[best].worth and not later.unit.dangling and length(later) <= left:
            run.append(later)
            left -= length(later)
    return run


def fitting(run: Sequence[Candidate], most: int, max_words: int, *, needed: bool) -> list[Candidate]:
    """A run without as much of its worse end as is too much; where nothing fits and it is ``needed``, its best."""
    kept = list(run)
    while kept and (len(kept) > most or sum(map(length, kept)) > max_words):
        leads = len(kept) > 1 and kept[1].unit.dangling
        kept.pop(0 if kept[0].worth < kept[-1].worth and not leads else -1)
    if kept or not needed:
        return kept
    fitting = [candidate for candidate in run if length(candidate) <= max_words]
    return [max(fitting or run, key=lambda candidate: candidate.worth)]


def worth_of(run: Sequence[Candidate]) -> float:
    """What the best of a run is worth."""
    return max(candidate.worth for candidate in run)


def length(candidate: Candidate) -> int:
    """Its words."""
    return len(words(candidate.unit.text))


def by_passage(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """The candidates of each passage, in their order."""
    return [list(group) for _, group in groupby(candidates, key=lambda c: c.unit.evidence.id)]


def passage_of(run: Sequence[Candidate]) -> str:
    """The id of the passage that a run is of."""
    return run[0].unit.evidence.id


def goes_on(run: Sequence[Candidate], before: Sequence[Candidate]) -> bool:
    """Whether a run is of another passage of the same document under the same heading."""
    one, other = run[0].unit.evidence, before[0].unit.evidence
    same = (one.title, read_passage(one).document) == (other.title, read_passage(other).document)
    return same and one.id != other.id and bool(divided(one.title)[1])


def beginning(run: list[Candidate], leading: Sequence[list[Candidate]]) -> list[Candidate]:
    """The run with which the section begins that a run is of, where that is among those that may open."""
    section = [other for other in leading if goes_on(other, run) and worth_of(other) >= _SECTION * worth_of(run)]
    return min([run, *section], key=lambda other: other[0].place)
