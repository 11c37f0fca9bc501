"""The learned reader of danger: a text is dangerous where it is like texts that are.

``coefficients.json`` holds a multinomial logistic regression over a text's embedding (all-MiniLM-L6-v2), three signs of
how it is told, and the words that it has: one row a kind of alarm, relative to harmless texts. A sentence counts half,
and the whole text that it stands in half: alone, "her lips were blue" may be of a doll. ``eval.experiments.safety_fit``
fits it, and writes the figures that it reached beside it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chains.safety.cues import Kind
from chains.safety.reading import Sentence, printed, read
from core.embeddings import Encode
from core.odds import class_odds

__all__ = [
    "FILE",
    "Floats",
    "Reader",
    "Unit",
    "danger",
    "learned_reader",
    "log_odds_of",
    "reader_from",
    "rows",
    "units",
    "words_of",
]

Floats = NDArray[np.float64]
Signs = tuple[float, float, float]

FILE = Path(__file__).with_name("coefficients.json")
_FIRST, _LAST = 20, 20
_MAX_CHARS = 1000  # about what the embedder reads at once
_SHARE = 0.4  # of a unit's danger, from which a kind is named beside the plainest
_STRANGER = re.compile(
    r"\b(?:an?|one|the) (?:[\w-]+ ){0,4}?"
    r"(?:[\d \-\u2013]*(?:year|month|week|day)s?[ \-\u2013]{1,3}olds?|patients?|neonate|infant|male|female|"
    r"primigravida|victim|researchers?|\w+ (?:presents?|presented|(?:is|was) (?:brought|admitted|referred|seen)))\b",
    re.IGNORECASE,
)
_OURS = re.compile(r"(?<!type )\b(?:i|im|ive|my|me|we|our|(?-i:us))\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_QUOTED = re.compile(r"[\"\u201c][^\"\u201c\u201d]*[\"\u201d]")


class Unit(NamedTuple):
    """What is read at once, with its signs, 0 or 1 each: of somebody, of now, of what is remote."""

    text: str
    signs: Signs


@dataclass(frozen=True)
class Reader:
    """Kinds with their coefficients (kinds by inputs and intercept), the words that count, and what is raised."""

    kinds: tuple[Kind, ...]
    coefficients: Floats
    words: tuple[str, ...]
    threshold: float
    """The probability from which a unit, together with the whole that it is of, raises an alarm."""

    def odds(self, inputs: Floats) -> Floats:
        """Odds of each kind against harmlessness (units by kinds), of inputs that ``rows`` gives."""
        return class_odds(inputs, self.coefficients)

    def raised(self, odds: Floats) -> NDArray[np.bool_]:
        """Which kinds each unit raises (units by kinds), the whole first: the plainest, and others near it."""
        told, both = log_odds_of(odds), np.sqrt(odds * odds[0])
        shares = both / both.sum(axis=1, keepdims=True)
        plainest = shares == shares.max(axis=1, keepdims=True)
        dangerous = (told + told[0]) / 2 >= math.log(self.threshold / (1 - self.threshold))
        named: NDArray[np.bool_] = dangerous[:, None] & (plainest | (shares >= _SHARE))
        return named

    def hear(self, text: str, encode: Encode) -> dict[Kind, str]:
        """The kinds of danger in a text, each with the unit that tells it most plainly, in lower case."""
        whole_first = units(text)
        if not whole_first:
            return {}
        odds = self.odds(rows(whole_first, encode, self.words))
        told = np.where(self.raised(odds), odds, 0.0)
        first = min(1, len(whole_first) - 1)  # of several sentences one is named, never the whole
        return {
            kind: whole_first[first + int(column.argmax())].text.lower()
            for kind, column in zip(self.kinds, told[first:].T, strict=True)
            if column.any()
        }


def log_odds_of(odds: Floats) -> Floats:
    """Log-odds that each unit is dangerous in any way, from odds of the kinds (units by kinds)."""
    found: Floats = np.log(odds.sum(axis=1))
    return found


def danger(odds: Floats) -> Floats:
    """Probability that each unit is dangerous in any way, from odds of the kinds (units by kinds)."""
    total = odds.sum(axis=1)
    probability: Floats = total / (1 + total)
    return probability


def units(text: str) -> list[Unit]:
    """The text as a whole, then its sentences where there are several; nothing where it is a case report.

    Of a long text the first and the last sentences are read, and of a long sentence its beginning; what is said again
    is read once. A sentence of one word says too little to be read by itself.
    """
    said = read(text)
    if not said or _tells_of_a_stranger(text):
        return []
    once = {told.text: (sentence, told) for sentence, told in zip(printed(text), said, strict=True)}
    repeats = len(once) < len(said)
    whole = Unit((" ".join(s for s, _ in once.values()) if repeats else text)[:_MAX_CHARS], _signs(said))
    if len(once) == 1:
        return [whole]
    pairs = [(sentence, told) for sentence, told in once.values() if " " in told.text]
    chosen = pairs if len(pairs) <= _FIRST + _LAST else [*pairs[:_FIRST], *pairs[-_LAST:]]
    return [whole, *(Unit(sentence[:_MAX_CHARS], _signs([told])) for sentence, told in chosen)]


def rows(read_units: Sequence[Unit], encode: Encode, words: Sequence[str]) -> Floats:
    """The inputs of the regression: signs, the embedding, and which of the words a unit has (1 or 0)."""
    signs = np.array([unit.signs for unit in read_units])
    place = {word: number for number, word in enumerate(words)}
    had = np.zeros((len(read_units), len(words)))
    for number, unit in enumerate(read_units):
        had[number, [place[word] for word in words_of(unit.text) if word in place]] = 1.0
    return np.hstack([signs, encode([unit.text for unit in read_units]), had])


def words_of(text: str) -> set[str]:
    """The words of a text, in lower case and without apostrophes."""
    return set(_WORD.findall(text.lower().replace("'", "").replace("\u2019", "")))


@lru_cache(maxsize=1)
def learned_reader() -> Reader:
    """The committed reader."""
    return reader_from(json.loads(FILE.read_text(encoding="utf-8")))


def reader_from(data: Mapping[str, Any]) -> Reader:
    """A reader from the content of ``coefficients.json``."""
    kinds, words = data["coefficients"], data["words"]
    of_words = np.array(list(words.values())).reshape(len(words), len(kinds)).T
    rest = np.array(list(kinds.values()))
    table = np.hstack([rest[:, :-1], of_words, rest[:, -1:]])
    return Reader(tuple(kinds), table, tuple(words), float(data["threshold"]))


def _tells_of_a_stranger(text: str) -> bool:
    """Whether it is told of a person without a name, and by nobody, as examinations and papers do."""
    outside = _QUOTED.sub(" ", text)
    return _OURS.search(outside) is None and _STRANGER.search(outside) is not None


def _signs(said: Sequence[Sentence]) -> Signs:
    return (
        float(any(sentence.about_someone for sentence in said)),
        float(any(sentence.now for sentence in said)),
        float(any(sentence.remote for sentence in said)),
    )
