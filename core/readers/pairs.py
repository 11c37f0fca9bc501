"""How two texts become one input of a reader: [CLS] first [SEP] second [SEP], the first kept whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

MOST_OF_FIRST: Final = 88
"""Room for the first text. Of a longer one the end is kept, where a letter asks its question."""


class PairTokenizer:
    """Tokens of pairs; the second text is cut where the room ends."""

    def __init__(self, tokenizer: Tokenizer, room: int) -> None:
        """Take the embedder's tokenizer and set it neither to cut nor to pad; ``room`` is the most tokens of a pair."""
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._room = room
        self._first, self._last = tokenizer.encode("").ids

    def ids(self, first: str, second: str) -> tuple[list[int], int]:
        """The token ids of a pair, and how many of them belong to the first text and its marks."""
        return self.all_ids([(first, second)])[0]

    def all_ids(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], int]]:
        """Of many pairs at once, in their order."""
        pieces = self._pieces([text for pair in pairs for text in pair])
        return [self._joined(first, second) for first, second in zip(pieces[::2], pieces[1::2], strict=True)]

    def _joined(self, first: list[int], second: list[int]) -> tuple[list[int], int]:
        asked = first[-MOST_OF_FIRST:]
        told = second[: self._room - 3 - len(asked)]
        return [self._first, *asked, self._last, *told, self._last], len(asked) + 2

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        readable = [text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [one.ids for one in self._tokenizer.encode_batch_fast(readable, add_special_tokens=False)]


def padded(pairs: list[tuple[list[int], int]]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Ids, segments (1 for the second text) and mask of a batch, pairs by tokens."""
    width = max(len(ids) for ids, _ in pairs)
    ids, segments, mask = (np.zeros((len(pairs), width), dtype=np.int64) for _ in range(3))
    for row, (tokens, first) in enumerate(pairs):
        ids[row, : len(tokens)] = tokens
        segments[row, first : len(tokens)] = 1
        mask[row, : len(tokens)] = 1
    return ids, segments, mask


def titled(title: str, text: str) -> str:
    """A passage as a reader reads it: its title in front."""
    return f"{title}. {text}" if title else text
