"""Words that nobody knows, corrected to the likeliest word of the library's texts that is an edit or two away.

The distance counts letters inserted, dropped, replaced, and neighbours swapped (optimal string alignment;
Damerau 1964). It is computed to all words of a length near at once, so that no index is needed.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("words.tsv.xz")
LONGEST = 24
SHORTEST = 4
"""Shorter words are an edit away from too many."""
TWO_EDITS = 5
"""Letters from which a word may have two errors."""
EDIT_COST = 4.0
"""What an edit costs in natural logarithms of how often a word stands in the library."""
FIRST_COST = 1.5
"""What a wrong first letter costs beside: people seldom mistype it."""
_SOUNDS = tuple(
    (re.compile(written), said)
    for written, said in (
        (r"ph", "f"), (r"sc(?=[eiy])|c(?=[eiy])|z", "s"), (r"ck|ch|c|q", "k"), (r"ae|oe|ea", "e"), (r"y", "i"),
        (r"rh", "r"), (r"^gh", "g"), (r"^(?:pn|kn|gn)", "n"), (r"^ps", "s"), (r"x", "ks"), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
"""How letters sound."""
SAME_SOUND = 0.5
"""Errors that a word counts which sounds as another, whatever its letters."""
LEAST_LEAD = 0.5
"""By how much the likeliest word must lead: what may be either is left."""
LEAST_SCORE = -4.5
"""Two edits lead to a rare word by chance."""
LONG, LESS_BY_CHANCE = 7, 0.5
"""Of each letter beyond so many, how much less the score may be: a long word is seldom near another by chance."""


class Words(NamedTuple):
    """Words in lower case, as letters (words by LONGEST), and what is known of each.

    ``bags`` has how often each letter of the alphabet stands in it (words by 26), ``logs`` the logarithm of its count.
    """

    all: Mapping[str, int]
    names: Sequence[str]
    letters: NDArray[np.uint8]
    bags: NDArray[np.int8]
    logs: NDArray[np.float64]


@lru_cache(maxsize=1)
def library_words() -> Words:
    """The words of the library's texts."""
    lines = lzma.decompress(FILE.read_bytes()).decode().splitlines()
    return words_of({word: int(count) for word, count in (line.split("\t") for line in lines)})


def words_of(counts: Mapping[str, int]) -> Words:
    """Words to correct to, from how often each is met."""
    names = [word for word in counts if SHORTEST <= len(word) <= LONGEST]
    table = np.array(names, dtype=f"S{LONGEST}")
    letters = table.view(np.uint8).reshape(len(names), LONGEST)
    logs = np.log([counts[word] for word in names])
    return Words(counts, names, letters, _bags(letters), logs)


def corrected(word: str, words: Words) -> str | None:
    """The likeliest word that a word in lower case misspells; None where none is likely, or two are."""
    if not SHORTEST <= len(word) <= LONGEST or not word.isascii():
        return None
    most = 2 if len(word) >= TWO_EDITS else 1
    own = _bags(np.frombuffer(word.encode().ljust(LONGEST, b"\0"), np.uint8)[None])
    # An edit changes two letters of the bag at most.
    near = np.flatnonzero(np.abs(words.bags - own).sum(axis=1) <= 2 * most)
    found = edits(word, words.letters[near])
    near, found = near[found <= most], found[found <= most]
    if not len(near):
        return None
    sound = _sound(word)
    alike = np.array([_sound(words.names[int(place)]) == sound for place in near])
    wrong_first = (words.letters[near, 0] != ord(word[0])) & ~alike
    scores = words.logs[near] - EDIT_COST * np.where(alike, SAME_SOUND, found) - FIRST_COST * wrong_first
    order = np.argsort(-scores, kind="stable")
    best = words.names[int(near[order[0]])]
    if scores[order[0]] < LEAST_SCORE - LESS_BY_CHANCE * max(0, len(word) - LONG):
        return None
    if len(order) > 1 and scores[order[0]] - scores[order[1]] < LEAST_LEAD:
        rival = words.names[int(near[order[1]])]
        if not _alike(best, rival):
            return None
    return best


def edits(word: str, letters: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The distance of a word to each row of letters, zeros after its end (optimal string alignment)."""
    lengths = (letters > 0).sum(axis=1)
    count, width = len(letters), int(lengths.max(initial=0))
    before = np.zeros((count, width + 1), np.int64)
    row = np.tile(np.arange(width + 1, dtype=np.int64), (count, 1))
    for place, letter in enumerate(word.encode(), start=1):
        two_before, before = before, row
        row = np.empty_like(before)
        row[:, 0] = place
        differs = letters[:, :width] != letter
        for column in range(1, width + 1):
            best = np.minimum(before[:, column], row[:, column - 1]) + 1
            best = np.minimum(best, before[:, column - 1] + differs[:, column - 1])
            if place > 1 and column > 1:
                swapped = (letters[:, column - 2] == letter) & (letters[:, column - 1] == ord(word[place - 2]))
                best = np.where(swapped, np.minimum(best, two_before[:, column - 2] + 1), best)
            row[:, column] = best
    return np.take_along_axis(row, lengths[:, None], axis=1)[:, 0]


def _bags(letters: NDArray[np.uint8]) -> NDArray[np.int8]:
    return np.stack(
        [(letters == letter).sum(axis=1) for letter in range(ord("a"), ord("z") + 1)], axis=1, dtype=np.int8
    )


def _sound(word: str) -> str:
    for written, said in _SOUNDS:
        word = written.sub(said, word)
    return word


def _alike(one: str, other: str) -> bool:
    """Whether two words are one in singular and plural, so that either will do."""
    return one.rstrip("s") == other.rstrip("s")
