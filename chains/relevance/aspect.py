"""Whether a passage tells what is asked, by meaning: both are compared with described aspects (``aspects.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from chains.understand import Understanding
from core.embeddings import Encode, Matrix

_FILE = Path(__file__).with_name("aspects.toml")
_SHARPNESS = 12.0


@lru_cache(maxsize=1)
def described() -> tuple[str, ...]:
    """The descriptions, in the order of the file."""
    return tuple(tomllib.loads(_FILE.read_text(encoding="utf-8")).values())


def without_subject(understanding: Understanding) -> str:
    """The question with its subject replaced: what is left is what is asked of it."""
    if not understanding.subject:
        return understanding.text
    return re.sub(re.escape(understanding.subject), "it", understanding.text, flags=re.IGNORECASE)


def agreement(understanding: Understanding, told: Matrix, encode: Encode) -> Sequence[float]:
    """How much of what is asked each text tells, in [0, 1]; ``told`` are the texts' vectors."""
    vectors = encode([without_subject(understanding), *described()])
    asked = _shares(vectors[:1] @ vectors[1:].T)[0]
    return [float(np.sqrt(asked * row).sum()) for row in _shares(told @ vectors[1:].T)]


def _shares(similar: Matrix) -> Matrix:
    """Similarities to the descriptions as shares of 1, each text's own level taken off."""
    powers = np.exp(_SHARPNESS * (similar - similar.max(axis=1, keepdims=True)))
    shares: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return shares
