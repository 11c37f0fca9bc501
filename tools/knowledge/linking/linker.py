"""Text to mentions of concepts: the longest names that its words are, in their order or another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.schema import Mention
from tools.knowledge.linking.abbreviations import definitions
from tools.knowledge.linking.forms import Form, form, singular_of
from tools.knowledge.linking.matching import longest_first, matches
from tools.knowledge.linking.reading import Reading, read
from tools.knowledge.linking.spelling import SHORTEST, Spelling
from tools.knowledge.store import KnowledgeStore

ABBREVIATED_SCORE = 0.9
CORRECTED_SHARE = 0.85
MAX_CORRECTIONS = 100_000
"""A text may be one endless sentence: only as much is read as the scope of a cue can need."""


class _Place(NamedTuple):
    """Words of a reading, from first to last, and the concept that they name."""

    first: int
    last: int
    concept: int
    score: float


class Linker:
    """Finds the names of a store in texts; safe to use from any thread.

    A name matches by the forms of its words: plurals, possessives, British spelling, another order, function words
    between. Abbreviations match as they are written, and where the text defines one itself, as it defines it. Words
    that no name has are corrected where one letter makes them one. Of several concepts with one name, the one that
    prefers it wins.
    """

    def __init__(self, store: KnowledgeStore, approximate: bool = True) -> None:
        """Read the index of a store; ``approximate`` corrects spelling."""
        self._store = store
        self._index = store.index
        self._spelling = Spelling(store.array) if approximate else None
        self._corrections: dict[str, Form | None] = {}

    def link(self, text: str, groups: Collection[str] = ()) -> tuple[Mention, ...]:
        """Find the concepts that a text mentions: in order, none overlapping, never across two sentences.

        ``groups`` keeps those of these semantic groups. ``score`` is 1 for a name as written, less for its forms.
        """
        reading = read(text)
        places = self._places(reading)
        if self._spelling is not None and (corrected := self._corrected(reading, self._spelling)):
            places = longest_first([*places, *self._corrected_places(reading, corrected)])
        places = self._defined(reading, places)
        self._store.fetch(place.concept for place in places)
        mentions = (self._mention(reading, place) for place in places)
        return tuple(m for m in mentions if not groups or m.concept.group in groups)

    def knows(self, word: str) -> bool:
        """Tell whether a word of five letters or more, in lower case, stands in any name."""
        if self._spelling is None:
            return False
        return word.isascii() and (self._spelling.knows(word) or self._spelling.knows(singular_of(word)))

    def correction(self, word: str) -> str | None:
        """Return the word of all names that a word in lower case misspells by a letter; None where none, or several.

        Of several that name one concept ("hydroxyzine", "hydroxizine") it is the one by which the concept is called.
        """
        near = sorted(self._spelling.near([word]).get(word, ())) if self._spelling is not None else []
        if len(near) < 2:
            return near[0] if near else None
        called = {name: found[0].concept for name in near if len(found := self.link(name)) == 1}
        if len({concept.id for concept in called.values()}) != 1:
            return None
        return next((name for name, concept in called.items() if name == concept.name.lower()), next(iter(called)))

    def _places(self, reading: Reading) -> list[_Place]:
        return [
            _Place(reading.place[m.first], reading.place[m.last], int(self._index.concept[m.row]), m.score)
            for m in longest_first(matches(reading, self._index))
        ]

    def _corrected_places(self, reading: Reading, corrected: Mapping[str, Form]) -> list[_Place]:
        """Names that there are once words are corrected, each with a corrected word."""
        changed = {n for n, word in enumerate(reading.words) if word in corrected}
        return [
            place._replace(score=round(place.score * CORRECTED_SHARE, 4))
            for place in self._places(reading.corrected(corrected))
            if not changed.isdisjoint(range(place.first, place.last + 1))
        ]

    def _corrected(self, reading: Reading, spelling: Spelling) -> dict[str, Form]:
        """Forms of the words that no name has, as the words that they misspell."""
        words = [word for word in set(reading.words) if len(word) >= SHORTEST and word.isalpha()]
        if new := [word for word in words if word not in self._corrections]:
            if len(self._corrections) > MAX_CORRECTIONS:
                self._corrections.clear()
            self._corrections.update(self._correct(new, spelling))
        known = self._corrections
        return {word: right for word in words if (right := known.get(word)) is not None}

    def _correct(self, words: Sequence[str], spelling: Spelling) -> dict[str, Form | None]:
        numbers = np.array([form(word).among for word in words], np.uint64)
        at = np.minimum(np.searchsorted(self._vocabulary, numbers), len(self._vocabulary) - 1)
        unknown = [words[n] for n in np.flatnonzero(self._vocabulary[at] != numbers).tolist()]
        right = spelling.corrections([singular_of(word) for word in unknown])
        found: dict[str, Form | None] = dict.fromkeys(words)
        found.update({word: form(right[wrong]) for word in unknown if (wrong := singular_of(word)) in right})
        return found

    @cached_property
    def _vocabulary(self) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        return self._store.array("vocabulary").astype(np.uint64, copy=False)

    def _defined(self, reading: Reading, places: list[_Place]) -> list[_Place]:
        """Add what the text's own abbreviations stand for; drop what the vocabularies mean by the same letters."""
        meant: dict[str, int | None] = {}
        for short, start, end in definitions(reading.text):
            inside = [p for p in places if reading.start[p.first] >= start and reading.end[p.last] <= end]
            whole = [p for p in inside if reading.end[p.last] == end]
            meant.setdefault(short, whole[-1].concept if whole else None)
        if not meant:
            return places
        used = {run: short for short in meant for run in reading.runs(short)}
        kept = [p for p in places if (p.first, p.last) not in used]
        taken = {n for p in kept for n in range(p.first, p.last + 1)}
        added = [
            _Place(*run, concept, ABBREVIATED_SCORE)
            for run, short in used.items()
            if (concept := meant[short]) is not None and taken.isdisjoint(range(run[0], run[1] + 1))
        ]
        return sorted([*kept, *added])

    def _mention(self, reading: Reading, place: _Place) -> Mention:
        start, end = reading.start[place.first], reading.end[place.last]
        said = reading.said(start)
        at = reading.start[place.last] - reading.sentence(start).start
        return Mention.model_construct(  # of values that are valid as they are made: checking them takes longer
            concept=self._store.by_number(place.concept).concept,
            start=start,
            end=end,
            text=reading.text[start:end],
            score=place.score,
            negated=said is not None and said.negated(at),
            family=said is not None and said.family(at),
        )
