"""The evidence as verifying sees it: windows of one or two sentences, and the abbreviations it introduces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from chains.verify.wording import Wording, wording
from core.language import sentences
from core.text import content_terms

_SHORT = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})\)")
_KEY = 6
_SHARED = 0.7
_AKIN = 0.8


@dataclass(frozen=True, eq=False)
class Window:
    """One or two neighbouring sentences of a passage: ``text`` is its slice ``start:end``."""

    text: str
    start: int
    end: int
    sentences: int
    wording: Wording
    stems: frozenset[str]

    @cached_property
    def akin(self) -> dict[str, tuple[str, ...]]:
        """Stems by their first letters."""
        return _families(self.stems)

    def holds(self, stem: str) -> float:
        """1 where the stem occurs, 0.8 where one of its family does (the same first letters), otherwise 0."""
        return 1.0 if stem in self.stems else _related(stem, self.akin)


@dataclass(frozen=True, eq=False)
class Passage:
    """A whole piece of evidence with its title."""

    text: str
    title: Wording
    windows: tuple[Window, ...]
    stems: frozenset[str]
    short_forms: Mapping[str, frozenset[str]]
    """Abbreviations that it introduces, with the stems of what they stand for."""

    @cached_property
    def akin(self) -> dict[str, tuple[str, ...]]:
        """Stems by their first letters."""
        return _families(self.stems)

    def holds(self, stem: str) -> float:
        """Like Window.holds, over the whole text and its title."""
        return 1.0 if stem in self.stems else _related(stem, self.akin)

    @cached_property
    def sentences(self) -> tuple[Window, ...]:
        """The windows of one sentence, in order."""
        return tuple(window for window in self.windows if window.sentences == 1)

    def onward(self, window: Window) -> str:
        """A window with the sentence that follows it."""
        following = next((one for one in self.sentences if one.start >= window.end), window)
        return self.text[window.start : max(window.end, following.end)]

    def stretch(self, neighbours: Sequence[Window]) -> Window:
        """One window over neighbouring sentences, such as a list with what introduces it."""
        if len(neighbours) == 1:
            return neighbours[0]
        text = self.text[neighbours[0].start : neighbours[-1].end]
        return _window(text, neighbours[0].start, wording(text), len(neighbours), self.short_forms)


def _related(stem: str, akin: dict[str, tuple[str, ...]]) -> float:
    if len(stem) < _KEY:
        return 0.0
    family = akin.get(stem[:_KEY], ())
    return _AKIN if any(_shared(stem, other) >= _SHARED * max(len(stem), len(other)) for other in family) else 0.0


@lru_cache(maxsize=4_096)
def read_passage(text: str, title: str = "") -> Passage:
    """Read evidence; equal texts are read once a process (a bounded memory)."""
    short_forms = abbreviations(f"{title}\n{text}")
    spans = sentences(text)
    wordings = [wording(span.text) for span in spans]
    windows = [
        _window(text[span.start : span.end], span.start, words, 1, short_forms)
        for span, words in zip(spans, wordings, strict=True)
    ]
    for (one, first), (two, second) in pairwise(zip(spans, wordings, strict=True)):
        joined = Wording(text[one.start : two.end], first.tokens + second.tokens)
        windows.append(_window(joined.text, one.start, joined, 2, short_forms))
    heading = wording(title)
    stems = frozenset[str]().union(heading.stems, *(window.stems for window in windows))
    return Passage(text, heading, tuple(windows), stems, short_forms)


def _window(text: str, start: int, words: Wording, count: int, short_forms: Mapping[str, frozenset[str]]) -> Window:
    stems = set(words.stems)
    for short, long in short_forms.items():
        if short in words.stems:
            stems |= long
        elif long <= words.stems:
            stems.add(short)
    return Window(text, start, start + len(text), count, words, frozenset(stems))


def _families(stems: frozenset[str]) -> dict[str, tuple[str, ...]]:
    families: dict[str, list[str]] = {}
    for stem in stems:
        if len(stem) >= _KEY:
            families.setdefault(stem[:_KEY], []).append(stem)
    return {key: tuple(members) for key, members in families.items()}


def _shared(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def abbreviations(text: str) -> dict[str, frozenset[str]]:
    """Short forms introduced in brackets, with the stems of their long forms.

    The long form is found as by Schwartz and Hearst (2003): the letters of the short form occur in order, from the
    right, and its first letter begins a word.
    """
    found: dict[str, frozenset[str]] = {}
    for match in _SHORT.finditer(text):
        short = match.group(1)
        before = text[max(0, match.start() - 12 * (len(short) + 5)) : match.start()].rstrip()
        long = _long_form(short.rstrip("s"), before)
        stems = content_terms(short)
        if long and len(stems) == 1:
            found[stems[0]] = frozenset(content_terms(long))
    return {short: long for short, long in found.items() if long}


def _long_form(short: str, before: str) -> str | None:
    place = len(before)
    for index in range(len(short) - 1, -1, -1):
        letter = short[index].lower()
        if not letter.isalnum():
            continue
        place -= 1
        while place >= 0 and (
            before[place].lower() != letter or (index == 0 and place > 0 and before[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
    long = before[place:]
    return long if len(long.split()) <= min(len(short) + 5, len(short) * 2) else None
