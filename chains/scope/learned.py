"""The learned reader of what kind of question it is: by its meaning, whatever its words.

``coefficients.json`` holds a multinomial logistic regression over a question's embedding (all-MiniLM-L6-v2), one row a
kind, relative to questions that general texts answer. ``eval.experiments.scope_fit`` fits it on
``eval/data/scope.jsonl`` and the library's own headings, and writes the figures that it reached beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Kind = Literal["record", "decision", "service", "future", "other", "chat", "vague", "animal", "nonsense"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Floats = NDArray[np.float64]

FILE = Path(__file__).with_name("coefficients.json")


@dataclass(frozen=True)
class Reader:
    """Kinds with their coefficients (kinds by dimensions and intercept)."""

    kinds: tuple[Kind, ...]
    coefficients: Floats

    def shares(self, vectors: NDArray[np.floating[Any]]) -> Floats:
        """The probability of each kind (texts by kinds); what is left to 1 is that of what general texts answer."""
        powers = np.exp(vectors @ self.coefficients[:, :-1].T + self.coefficients[:, -1])
        shares: Floats = powers / (1.0 + powers.sum(axis=1, keepdims=True))
        return shares


@lru_cache(maxsize=1)
def learned_reader() -> Reader:
    """The committed reader."""
    return reader_from(json.loads(FILE.read_text(encoding="utf-8")))


def reader_from(data: Mapping[str, Any]) -> Reader:
    """A reader from the content of ``coefficients.json``."""
    rows: Mapping[Kind, Sequence[float]] = data["coefficients"]
    return Reader(tuple(rows), np.array(list(rows.values())))
