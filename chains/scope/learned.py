"""The learned reader of what kind of question it is: by its meaning, and by whether it names something medical.

``coefficients.json`` holds a multinomial logistic regression over a question's embedding (all-MiniLM-L6-v2) and what it
names (``named``), one row a kind, relative to questions that general texts answer. ``eval.experiments.scope_fit`` fits
it, and writes the figures that it reached beside it.
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

from chains.link import Link
from core.embeddings import Encode
from core.odds import class_odds
from core.text import content_terms

Kind = Literal["record", "decision", "service", "future", "other", "chat", "vague", "animal", "nonsense", "picture"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LEARNED: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "picture")
"""Kinds that the reader tells; a picture that was sent is known by its word."""
Floats = NDArray[np.float64]

FILE = Path(__file__).with_name("coefficients.json")
_DISEASE_OR_DRUG = frozenset({"DISO", "CHEM"})
_MEDICAL = _DISEASE_OR_DRUG | {"ANAT", "LIVB"}
_MANY_WORDS = 5


@dataclass(frozen=True)
class Reader:
    """Kinds with their coefficients (kinds by inputs and intercept)."""

    kinds: tuple[Kind, ...]
    coefficients: Floats

    def shares(self, inputs: NDArray[np.floating[Any]]) -> Floats:
        """The probability of each kind (texts by kinds); what is left to 1 is that of what general texts answer."""
        odds = class_odds(inputs, self.coefficients)
        shares: Floats = odds / (1.0 + odds.sum(axis=1, keepdims=True))
        return shares


def inputs_of(texts: Sequence[str], encode: Encode, link: Link) -> Floats:
    """What the reader goes by, texts by inputs: the embedding of each text, then what it names."""
    return np.hstack([encode(texts), [named(text, link) for text in texts]]).astype(float)


def named(text: str, link: Link) -> tuple[float, float, float]:
    """Whether a text names anything medical, whether a disease or a drug, and how many words of content it has."""
    groups = {mention.concept.group for mention in link(text)}
    words = min(1.0, len(content_terms(text)) / _MANY_WORDS)
    return float(bool(groups & _MEDICAL)), float(bool(groups & _DISEASE_OR_DRUG)), words


@lru_cache(maxsize=1)
def learned_reader() -> Reader:
    """The committed reader."""
    return reader_from(json.loads(FILE.read_text(encoding="utf-8")))


def reader_from(data: Mapping[str, Any]) -> Reader:
    """A reader from the content of ``coefficients.json``."""
    rows: Mapping[Kind, Sequence[float]] = data["coefficients"]
    return Reader(tuple(rows), np.array(list(rows.values())))
