"""A text as the linker reads it: its words, their numbers, and where a name cannot go on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.language import Said, cue_words, said, sentences
from core.text import Span
from tools.knowledge.linking.forms import PART, Form, form, without_possessives

_SEPARATOR = re.compile(r"[;:|•\t!?]|\n\s*\n|\s[(\[]|[)\]](?![\w-])")
_SOFT = re.compile(r"[,()\[\]/]")
_LETTERS = 3


@dataclass
class Reading:
    """``words`` with ``start`` and ``end`` and their ``forms``; the other fields are of the words of content alone.

    ``place`` is a word of content's place among all words; a name stays within one ``segment``. ``soft`` counts the
    commas and brackets before it.
    """

    text: str
    words: list[str]
    start: list[int]
    end: list[int]
    forms: list[Form]
    place: list[int]
    alone: NDArray[np.uint64]
    among: NDArray[np.uint64]
    segment: NDArray[np.int64]
    soft: NDArray[np.int64]
    sentences: list[Span]

    def sentence(self, at: int) -> Span:
        """The sentence that a place of the text is in."""
        return self.sentences[max(0, bisect_right(self.sentences, at, key=lambda span: span.start) - 1)]

    def said(self, at: int) -> Said | None:
        """What is said of the words of the sentence at a place; None where no word of it qualifies any."""
        span = self.sentence(at)
        if span.start not in self._cued:
            return None
        if span.start not in self._said:
            self._said[span.start] = said(span.text)
        return self._said[span.start]

    @cached_property
    def _said(self) -> dict[int, Said]:
        return {}

    @cached_property
    def _cued(self) -> set[int]:
        """Starts of the sentences with a word that may qualify what they mention."""
        cues = cue_words()
        return {self.sentence(self.start[n]).start for n, word in enumerate(self.words) if word.lower() in cues}

    def corrected(self, right: Mapping[str, Form]) -> Reading:
        """The same text with other forms of these words."""
        forms = [right.get(word, own) for word, own in zip(self.words, self.forms, strict=True)]
        alone = np.array([forms[n].alone for n in self.place], np.uint64)
        return replace(self, forms=forms, alone=alone, among=np.array([forms[n].among for n in self.place], np.uint64))

    def runs(self, written: str) -> list[tuple[int, int]]:
        """First and last word of every place where exactly this is written, between other letters."""
        parts = PART.findall(written)
        return [
            (n, n + len(parts) - 1)
            for n, word in enumerate(self.words)
            if word == parts[0]
            and self.words[n : n + len(parts)] == parts
            and self.text[self.start[n] : self.end[n + len(parts) - 1]] == written
        ]

    def reorderable(self, first: int, last: int) -> bool:
        """Whether words from first to last may name something in another order: plain words, no comma between."""
        if self.soft[first] != self.soft[last]:
            return False
        chosen = (self.words[self.place[n]] for n in range(first, last + 1))
        return all(word.isalpha() and (len(word) >= _LETTERS) for word in chosen)


def read(text: str) -> Reading:
    """Read a text."""
    words: list[str] = []
    start: list[int] = []
    end: list[int] = []
    for match in PART.finditer(without_possessives(text)):
        words.append(match.group())
        start.append(match.start())
        end.append(match.end())
    forms = [form(word) for word in words]
    place = [n for n, found in enumerate(forms) if found.among]
    starts = np.array([start[n] for n in place], np.int64)
    spans = sentences(text)
    bounds = [span.start for span in spans]
    bounds += [match.start() for match in _SEPARATOR.finditer(text)]
    bounds.sort()
    soft = [match.start() for match in _SOFT.finditer(text)]
    return Reading(
        text=text,
        words=words,
        start=start,
        end=end,
        forms=forms,
        place=place,
        alone=np.array([forms[n].alone for n in place], np.uint64),
        among=np.array([forms[n].among for n in place], np.uint64),
        segment=np.searchsorted(np.array(bounds, np.int64), starts, "right"),
        soft=np.searchsorted(np.array(soft, np.int64), starts, "right"),
        sentences=spans,
    )
