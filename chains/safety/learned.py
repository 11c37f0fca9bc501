"""The learned reader of danger: a text is dangerous where it is like texts that are, whatever its words.

``coefficients.json`` holds a multinomial logistic regression over a text's embedding (all-MiniLM-L6-v2) and three signs
of how it is told: one row a kind of alarm, relative to harmless texts. ``eval.experiments.safety_fit`` fits it, and
writes the figures that it reached beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chains.safety.cues import Kind
from chains.safety.reading import Sentence, printed, read

__all__ = ["FILE", "Encode", "Reader", "Unit", "learned_reader", "reader_from", "rows", "units"]

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Floats = NDArray[np.float64]

FILE = Path(__file__).with_name("coefficients.json")
_FIRST, _LAST = 20, 20
_MAX_CHARS = 1000  # about what the embedder reads at once
_SHARE = 0.3


class Unit(NamedTuple):
    """What is read at once, with its signs: whether it tells of somebody, of now, of what is remote (0 or 1 each)."""

    text: str
    signs: tuple[float, float, float]


@dataclass(frozen=True)
class Reader:
    """Kinds with their coefficients (kinds by inputs and intercept), and the probability from which danger is raised."""

    kinds: tuple[Kind, ...]
    coefficients: Floats
    threshold: float

    def odds(self, inputs: Floats) -> Floats:
        """Odds of each kind against harmlessness (units by kinds), of inputs that ``rows`` gives."""
        powers: Floats = np.exp(inputs @ self.coefficients[:, :-1].T + self.coefficients[:, -1])
        return powers

    def hear(self, text: str, encode: Encode) -> dict[Kind, str]:
        """The kinds of danger in a text, each with the unit that tells it most plainly, in lower case."""
        read_units = units(text)
        if not read_units:
            return {}
        odds = self.odds(rows(read_units, encode))
        told = np.where(raising(odds, self.threshold)[:, None], odds, 0.0)
        found = {}
        for place, kind in enumerate(self.kinds):
            plainest = int(np.argmax(told[:, place]))
            if told[plainest, place] > 0:
                found[kind] = read_units[plainest].text.lower()
        return found


def danger(odds: Floats) -> Floats:
    """Probability that each unit is dangerous in any way, from odds of the kinds (units by kinds)."""
    total = odds.sum(axis=1)
    probability: Floats = total / (1 + total)
    return probability


def units(text: str) -> list[Unit]:
    """The text as a whole, then its sentences where there are several; nothing where it is a case report.

    Of a long text the first and the last sentences are read, and of a long sentence its beginning.
    """
    said = read(text)
    if not said:
        return []
    whole = Unit(text[:_MAX_CHARS], tuple_of_signs(said))
    if len(said) == 1:
        return [whole]
    pairs = list(zip(printed(text), said, strict=True))
    chosen = pairs if len(pairs) <= _FIRST + _LAST else [*pairs[:_FIRST], *pairs[-_LAST:]]
    return [whole, *(Unit(sentence[:_MAX_CHARS], tuple_of_signs([told])) for sentence, told in chosen)]


def rows(read_units: Sequence[Unit], encode: Encode) -> Floats:
    """The inputs of the regression: signs, then the embedding (units by 3 and the embedder's dimensions)."""
    return np.hstack([np.array([unit.signs for unit in read_units]), encode([unit.text for unit in read_units])])


@lru_cache(maxsize=1)
def learned_reader() -> Reader:
    """The committed reader."""
    return reader_from(json.loads(FILE.read_text(encoding="utf-8")))
