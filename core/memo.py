"""A small memory of vectors: a question and a sentence are embedded, and read together, by several steps of one run."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Texts = TypeVar("Texts", str, tuple[str, str])
"""What has a vector: a text, or a pair of texts."""


class VectorMemo(Generic[Texts]):
    """The vectors of the texts used last, at most ``capacity`` of them; safe to use from several threads."""

    def __init__(self, capacity: int, max_chars: int) -> None:
        """Texts of more than ``max_chars`` characters are not kept: passages would drive out what comes again."""
        self._capacity = capacity
        self._max_chars = max_chars
        self._vectors: OrderedDict[Texts, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, texts: Iterable[Texts]) -> dict[Texts, NDArray[np.float32]]:
        """The vectors of those texts that are known; they are shared, so no caller may change them."""
        found: dict[Texts, NDArray[np.float32]] = {}
        with self._lock:
            for text in texts:
                vector = self._vectors.get(text)
                if vector is not None:
                    self._vectors.move_to_end(text)
                    found[text] = vector
        return found

    def keep(self, texts: Iterable[Texts], vectors: NDArray[np.float32]) -> None:
        """Remember copies of the rows, one a text, and forget what was used longest ago."""
        with self._lock:
            for text, vector in zip(texts, vectors, strict=True):
                if len("".join(text)) <= self._max_chars:
                    self._vectors[text] = vector.copy()
            while len(self._vectors) > self._capacity:
                self._vectors.popitem(last=False)
