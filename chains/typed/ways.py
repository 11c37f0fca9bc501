"""What each word of a sentence may stand for, and what each reading costs, in natural logarithms.

A word may be itself, the dearer the less it is known; one near it in letters or sound; two that ran together; with the
next one word. A word that people put beside both its neighbours is nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from chains.typed.phrases import END, NUMBER, START, asked_phrases
from chains.typed.reading import Way
from chains.typed.short import tables
from chains.typed.spelling import Lexicon, library_words, sound
from core.language.dictionary import is_english

Known = Callable[[str], bool]
"""Whether somebody knows a word in lower case."""

Correction = Callable[[str], str | None]
"""The one known word that a word in lower case misspells."""

LONG_NAME = 8
"""Letters from which a capitalised word, a letter away from a vocabulary's, is that: people have shorter names."""

EDIT, SPLIT, MERGED, BY_NUMBER = 4.5, 5.0, 3.0, 4.0
"""What it costs to read a word as one edit away, as two words, with the next as one, and a figure by its sound."""
CORRECTION, BESIDE_ASKED, DRAWLED = 12.0, 4.0, 1.0
"""What it costs to read a word that nobody knows as one that a vocabulary has a letter away, and so much more where one
that people ask is as near ("releif" is relief, not Relif); and without repetitions."""
CAREFUL = 1.0
"""What another word costs beside where all words of the sentence are known."""
COMMON = 20
"""How often a word stands in the library that is no misspelling there."""
MOST_WAYS, MOST_LOOKED_UP = 100, 200
"""Readings of one word, and different words of one sentence that are looked up, at the most."""
_NEAR, _FAR, _FARTHEST, _FAR_KNOWN = 0.2, 0.21, 2.3, 1.01
"""How far a word may be from another: so far and so much farther a letter, at most; and one that is known."""

_SHORTEST_PART, _SHORTEST_JOINED = 3, 6
_NEAR_PART = 0.8
_DRAWL = re.compile(r"([a-z])\1{2,}")


class Standing(IntEnum):
    """Where a word is known, the surest place last."""

    NOWHERE = 0
    IN_NO_TEXT = 1
    IN_A_VOCABULARY = 2
    IN_A_DICTIONARY = 3
    IN_THE_LIBRARY = 4
    ASKED = 5


ITSELF = MappingProxyType(
    {
        Standing.NOWHERE: 20.0,
        Standing.IN_NO_TEXT: 10.0,
        Standing.IN_A_VOCABULARY: 8.0,
        Standing.IN_A_DICTIONARY: 7.0,
        Standing.IN_THE_LIBRARY: 0.0,
        Standing.ASKED: 0.0,
    }
)
"""What a word costs as it stands, by where it is known."""
ANOTHER = MappingProxyType({Standing.IN_THE_LIBRARY: 6.0, Standing.ASKED: 6.0})
"""What it costs beside to read a word as another that is known by people who ask, or by the library."""


class Words(NamedTuple):
    """Who knows words in lower case: the vocabularies, with what they would correct one to, and the embedder."""

    in_vocabularies: Known
    correction: Correction
    embedded: Known


class Token(NamedTuple):
    """A word as it was typed; ``full`` is what it is short for, ``fixed`` that it is nothing else."""

    text: str
    start: int
    lower: str
    full: tuple[str, ...] = ()
    fixed: bool = False
    named: bool = False
    shouted: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)


def ways_of(sentence: Sequence[Token], words: Words) -> list[list[Way]]:
    """How each word of a sentence may be read, and each with the next."""
    careful = all(token.fixed or standing_of(token.lower, words) > Standing.IN_NO_TEXT for token in sentence)
    found: list[list[Way]] = []
    looked_up: set[str] = set()
    for place, token in enumerate(sentence):
        ways = [Way(_asked(token))]
        if not token.fixed and (token.lower in looked_up or len(looked_up) < MOST_LOOKED_UP):
            ways = _named_ways(token, words) if token.named else _typed_ways(sentence, place, words, careful)
            looked_up.add(token.lower)
        after = sentence[place + 1] if place + 1 < len(sentence) else None
        found.append([*ways, *(_merged(token, after) if after else ())])
    return found


def _asked(token: Token) -> tuple[str, ...]:
    return tuple(word.lower() for word in token.full) or (NUMBER if token.lower.isdigit() else token.lower,)


def _named_ways(token: Token, words: Words) -> list[Way]:
    """A name may only be one of the vocabularies', where it is long."""
    right = words.correction(token.lower) if len(token.lower) >= LONG_NAME else None
    if right is None or standing_of(token.lower, words):
        return [Way((token.lower,))]
    return [Way((right,))]


def _typed_ways(sentence: Sequence[Token], place: int, words: Words, careful: bool) -> list[Way]:
    word = sentence[place].lower
    standing = standing_of(word, words)
    known = standing >= Standing.IN_A_VOCABULARY
    if word.isdigit():
        said = tables().numbers.get(word)
        return [Way((NUMBER,)), *([Way((said,), BY_NUMBER)] if said else [])]
    own = Way((word,), ITSELF[standing])
    if not word.replace("'", "").isalpha() or (known and _stands(sentence, place)):
        return [own]
    price = ANOTHER.get(standing, 0.0) + (CAREFUL if careful else 0.0)
    ways = [Way(way.words, way.cost + price) for way in _near(word, known=known)]
    if not standing:
        right, short = words.correction(word), _DRAWL.sub(r"\1", word)
        asked = BESIDE_ASKED if any(way.cost <= EDIT for way in ways) else 0.0
        ways += [Way((right,), CORRECTION + asked)] if right else []
        ways += [Way((short,), DRAWLED)] if short != word and standing_of(short, words) else []
    return [own, *sorted(ways, key=lambda way: way.cost)[:MOST_WAYS]]


def _stands(sentence: Sequence[Token], place: int) -> bool:
    """Whether people put a word beside both its neighbours."""
    phrases, (before, own, after) = asked_phrases(), _around(sentence, place)
    return phrases.met(before, own) and phrases.met(own, after)


def _around(sentence: Sequence[Token], place: int) -> tuple[str, str, str]:
    before = _asked(sentence[place - 1])[-1] if place else START
    after = _asked(sentence[place + 1])[0] if place + 1 < len(sentence) else END
    return before, sentence[place].lower, after


@lru_cache(maxsize=8192)
def _near(word: str, *, known: bool) -> tuple[Way, ...]:
    """Other words that a word may be, and two that may have been run together; one that is known is near few."""
    phrases = asked_phrases()
    if known:
        found = _asked_lexicon().near(word, _FAR_KNOWN)
    else:
        found = _whole_lexicon().near(word, min(_FARTHEST, _NEAR + _FAR * len(word)))
    likely = [other for other in found if not _denies(word, other) and not _may_be_its_opposite(word, other, found)]
    ways = [Way((other,), EDIT * found[other] + _seldom(other)) for other in likely]
    for cut in range(1, len(word)) if "'" not in word else ():
        one, other = word[:cut], word[cut:]
        if one in phrases and other in phrases and (cut > 1 or one in "ai") and len(other) > 1:
            ways.append(Way((one, other), SPLIT))
        elif not known and min(cut, len(word) - cut) >= _SHORTEST_PART:
            ways += _one_misspelt(one, other)
    return tuple(ways)


def _one_misspelt(one: str, other: str) -> Iterator[Way]:
    """Two words that were run together, one of them misspelt besides."""
    phrases, near = asked_phrases(), _asked_lexicon().near
    if one in phrases:
        yield from (
            Way((one, right), SPLIT + EDIT * far) for right, far in near(other, _NEAR_PART).items() if len(right) > 2
        )
    if other in phrases:
        yield from (
            Way((right, other), SPLIT + EDIT * far) for right, far in near(one, _NEAR_PART).items() if len(right) > 2
        )


def _denies(word: str, other: str) -> bool:
    """Whether one of two words denies and the other does not."""
    return word.endswith("n't") != other.endswith("n't") or "not" in (word, other)


def _may_be_its_opposite(word: str, other: str, near: Container[str]) -> bool:
    """Whether a word that is neither surely "hyper" nor "hypo" may be the other one's opposite: "hyptension"."""
    if sound(word).startswith(("hiper", "hipr", "hipo")) or not other.startswith(("hyper", "hypo")):
        return False
    rest = other.removeprefix("hyper").removeprefix("hypo")
    return f"hyper{rest}" in near and f"hypo{rest}" in near


def _merged(token: Token, after: Token) -> list[Way]:
    """A word and the next as the one that they make."""
    apart = after.start - token.end
    joined = token.lower + after.lower
    if apart != 1 or token.fixed or after.fixed or token.named or after.named or len(joined) < _SHORTEST_JOINED:
        return []
    shortest = min(len(token.lower), len(after.lower))
    return [Way((joined,), MERGED, tokens=2)] if shortest > 1 and joined in asked_phrases() else []


def _seldom(word: str) -> float:
    """What a word costs that is put in another's place though hardly anybody asks it."""
    if word in asked_phrases():
        return 0.0
    counts = library_words()
    return math.log(_all_words() / (counts.get(word, 0) + 0.5)) + 2.0


@lru_cache(maxsize=1)
def _all_words() -> int:
    return sum(library_words().values())


@lru_cache(maxsize=1)
def _asked_lexicon() -> Lexicon:
    return Lexicon(sorted(word for word in asked_phrases().words if word.replace("'", "").isalpha()))


@lru_cache(maxsize=1)
def _whole_lexicon() -> Lexicon:
    rare = (word for word in library_words() if len(word) >= _SHORTEST_PART)
    return Lexicon(sorted({*(word for word in asked_phrases().words if word.replace("'", "").isalpha()), *rare}))


def standing_of(lower: str, words: Words) -> Standing:
    """The surest place where a word is known."""
    parts = [part for part in lower.split("'") if re.search(r"[a-z]{2}", part)]
    counts, phrases = library_words(), asked_phrases()

    def somewhere(part: str, holds: Known) -> bool:
        forms = (part, part + "s", part.removesuffix("s"), *_before_not(part, lower))
        return any(holds(form) for form in forms)

    if lower in phrases or all(part in phrases for part in parts):
        return Standing.ASKED
    if all(counts.get(part, 0) >= COMMON for part in parts):
        return Standing.IN_THE_LIBRARY
    if all(somewhere(part, lambda form: form in counts or is_english(form)) for part in parts):
        return Standing.IN_A_DICTIONARY
    if all(somewhere(part, words.in_vocabularies) for part in parts):
        return Standing.IN_A_VOCABULARY
    return Standing.IN_NO_TEXT if all(somewhere(part, words.embedded) for part in parts) else Standing.NOWHERE


def _before_not(part: str, word: str) -> list[str]:
    """What "n't" stands after: "must" of "mustn't"."""
    return [part.removesuffix("n")] if word == f"{part}'t" and part.endswith("n") else []
