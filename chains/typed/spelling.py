"""Words that a misspelt one may be, with how far they are: by their letters, or by how they sound.

The distance counts letters inserted, dropped, replaced, and neighbours swapped (optimal string alignment; Damerau
1964), less where people err most: vowels, doubled letters, letters that sound alike. It is computed to all words of
like letters at once, so that no index is needed.
"""

from __future__ import annotations

import lzma
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("words.tsv.xz")
LONGEST = 24
WIDTH = 30
"""Bytes of a row: what a word sounds as may be longer than the word."""
BY_SOUND = 0.4
"""What it costs to write a word as it sounds."""
SWAPPED, DOUBLED, SOFT, APOSTROPHE = 0.8, 0.4, 0.7, 0.2
"""Costs of two neighbours swapped, and of a letter left out or put in: one beside its like, a vowel or an h, an
apostrophe."""
VOWEL, ALIKE = 0.5, 0.6
"""Costs of one vowel for another, and of one letter for one that sounds like it."""
CHEAPEST = 0.6
"""The least that an edit costs which changes two letters of a word's bag."""
_VOWELS = b"aeiouy"
_ALIKE = (b"sz", b"sc", b"kc", b"kq", b"cq", b"fv", b"mn", b"td", b"bp", b"gj", b"wu", b"wo")
_SOUNDS = tuple(
    (re.compile(written), said)
    for written, said in (
        (r"'", ""), (r"^(?:pn|kn|gn)", "n"), (r"^ps", "s"), (r"^wr", "r"), (r"^wh", "w"), (r"rh", "r"),
        (r"ght\b", "t"), (r"igh", "i"), (r"tion|sion|cian|shun|cion", "xun"), (r"ph", "f"), (r"mb$", "m"),
        (r"sch", "sk"), (r"sc(?=[eiy])|c(?=[eiy])|z", "s"), (r"tch|ch(?=[aeiou])", "C"), (r"ck|ch|c|q", "k"),
        (r"ae|oe|ea|ee|ie|ei", "e"), (r"ou|ow|au|aw", "o"), (r"ai|ay", "a"), (r"oo|ue|ew|eu", "u"), (r"y", "i"),
        (r"x", "ks"), (r"(?<=[^aeiou])e$", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
"""How letters sound, in the order in which they are read."""

Letters = NDArray[np.uint8]
Costs = NDArray[np.float32]


class Lexicon:
    """Words in lower case that others may be misspellings of."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take the words; those that are too long or not ASCII are nobody's misspelling."""
        self._names = [word for word in dict.fromkeys(words) if 0 < len(word) <= LONGEST and word.isascii()]
        self._spellings = [_rows(self._names), _rows([sound(word) for word in self._names])]
        self._bags = [_bags(letters) for letters in self._spellings]

    def near(self, word: str, most: float) -> Mapping[str, float]:
        """The words at most so far from a word in lower case, without itself, with their distances."""
        if not 0 < len(word) <= LONGEST or not word.isascii():
            return {}
        found: dict[str, float] = {}
        written = zip((word, sound(word)), self._spellings, self._bags, (0.0, BY_SOUND), strict=True)
        for own, letters, bags, base in written:
            unlike = np.abs(bags - _bags(_rows([own]))).sum(axis=1)
            close = np.flatnonzero(unlike < 2 * math.ceil(most / CHEAPEST))
            for place, far in zip(close.tolist(), (edits(own, letters[close]) + base).tolist(), strict=True):
                if far <= min(most, found.get(self._names[place], most)):
                    found[self._names[place]] = far
        found.pop(word, None)
        return found


def edits(word: str, letters: Letters) -> Costs:
    """The distance of a word to each row of letters, zeros after its end (weighted optimal string alignment)."""
    lengths = (letters > 0).sum(axis=1)
    count, width = len(letters), int(lengths.max(initial=0))
    told = letters[:, :width]
    doubled = np.concatenate([np.zeros((count, 1), np.bool_), told[:, 1:] == told[:, :-1]], axis=1)[:, :width]
    left_out = np.where(doubled, np.float32(DOUBLED), _GAPS[told])
    before = row = np.concatenate([np.zeros((count, 1), np.float32), np.cumsum(left_out, axis=1)], axis=1)
    typed = word.encode()
    for place, letter in enumerate(typed):
        two_before, before = before, row
        put_in = DOUBLED if place and typed[place - 1] == letter else float(_GAPS[letter])
        row = np.empty_like(before)
        row[:, 0] = before[:, 0] + put_in
        replaced = _COSTS[letter][told]
        for column in range(1, width + 1):
            best = np.minimum(before[:, column] + put_in, row[:, column - 1] + left_out[:, column - 1])
            best = np.minimum(best, before[:, column - 1] + replaced[:, column - 1])
            if place and column > 1:
                swapped = (told[:, column - 2] == letter) & (told[:, column - 1] == typed[place - 1])
                best = np.where(swapped, np.minimum(best, two_before[:, column - 2] + SWAPPED), best)
            row[:, column] = best
    distances: Costs = np.take_along_axis(row, lengths[:, None], axis=1)[:, 0]
    return distances


def sound(word: str) -> str:
    """How a word in lower case sounds, roughly: words that sound alike are written alike."""
    for written, said in _SOUNDS:
        word = written.sub(said, word)
    return word


@lru_cache(maxsize=1)
def library_words() -> Mapping[str, int]:
    """The words of the library's texts, with how often they stand there."""
    lines = lzma.decompress(FILE.read_bytes()).decode().splitlines()
    return {word: int(count) for word, count in (line.split("\t") for line in lines)}


def _rows(words: list[str]) -> Letters:
    return np.array(words, dtype=f"S{WIDTH}").view(np.uint8).reshape(len(words), WIDTH)


def _bags(letters: Letters) -> NDArray[np.int8]:
    """How often each letter of the alphabet stands in each row, rows by 26."""
    return np.stack(
        [(letters == letter).sum(axis=1) for letter in range(ord("a"), ord("z") + 1)], axis=1, dtype=np.int8
    )


def _gaps() -> Costs:
    costs = np.ones(256, np.float32)
    costs[list(_VOWELS + b"h")] = SOFT
    costs[ord("'")] = APOSTROPHE
    return costs


def _replacements() -> Costs:
    costs = np.ones((256, 256), np.float32)
    costs[np.ix_(list(_VOWELS), list(_VOWELS))] = VOWEL
    for one, other in _ALIKE:
        costs[one, other] = costs[other, one] = ALIKE
    np.fill_diagonal(costs, 0.0)
    return costs


_GAPS = _gaps()
_COSTS = _replacements()
