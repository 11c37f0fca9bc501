"""From texts to what a transformer reads at once: windows of token ids, in batches of little padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tokenizers import Tokenizer

BATCH_TOKENS = 2048
"""Tokens of a batch, padding included."""


class Window(NamedTuple):
    """A piece of a text, by the text's place, with the tokens of an instruction at its head."""

    text: int
    ids: list[int]
    types: list[int]
    instruction: int


class _Frame(NamedTuple):
    """The special tokens before, between and after texts, and the segments' types, as a model's tokenizer has them."""

    first: list[int]
    between: list[int]
    last: list[int]
    types: tuple[int, int]


class Tokens:
    """A model's tokenizer that neither cuts nor pads; safe to use from several threads."""

    def __init__(self, tokenizer: Tokenizer, limit: int) -> None:
        """Take a copy of the tokenizer; the model reads ``limit`` tokens at once, special ones included."""
        self._tokenizer = Tokenizer.from_str(tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.limit = limit
        self._single = _frame(self._tokenizer, 1)
        self._pair = _frame(self._tokenizer, 2)

    def ids(self, text: str) -> list[int]:
        """The text's tokens without special ones."""
        found: list[int] = self._tokenizer.encode(_encodable(text), add_special_tokens=False).ids
        return found

    def words(self, text: str) -> list[int]:
        """Which word, as the tokenizer parts a text, each of these tokens is of; −1 where it is of none."""
        found = self._tokenizer.encode(_encodable(text), add_special_tokens=False).word_ids
        return [-1 if word is None else word for word in found]

    @property
    def edges(self) -> tuple[int, int]:
        """How many special tokens stand before and after a text."""
        return len(self._single.first), len(self._single.last)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where tokens stand, in code points, without the space that some tokenizers count as part of a word."""
        offsets = self._tokenizer.encode(_encodable(text), add_special_tokens=False).offsets
        trimmed = ((end - len(text[start:end].lstrip()), end) for start, end in offsets)
        return [(start, end) for start, end in trimmed if start < end]

    def room(self, instruction: str = "") -> int:
        """Tokens of a text that fit into a window."""
        return self.limit - len(self.ids(instruction)) - len(self._single.first) - len(self._single.last)

    def windows(self, place: int, text: str, instruction: str = "") -> Iterator[Window]:
        """Windows of about equal length, each begun by the instruction; one without a token where the text has none."""
        encoding = self._tokenizer.encode(instruction + _encodable(text), add_special_tokens=False)
        # By offsets: the space at an instruction's end may be a token when alone, and part of the next before a text.
        length = sum(end <= len(instruction) for _, end in encoding.offsets) if instruction else 0
        head = [*self._single.first, *encoding.ids[:length]]
        for part in _parts(encoding.ids[length:], self.room(instruction)):
            ids = [*head, *part, *self._single.last]
            yield Window(place, ids, [0] * len(ids), len(head) if length else 0)

    def pairs(self, place: int, query: str, text: str) -> Iterator[Window]:
        """Windows of (query, text): all of the text, and of the query what fits into half of a window."""
        frame = self._pair
        room = self.limit - len(frame.first) - len(frame.between) - len(frame.last)
        head = self.ids(query)[: room // 2]
        one = [*frame.first, *head, *frame.between]
        for part in _parts(self.ids(text), room - len(head)):
            two = [*part, *frame.last]
            types = [frame.types[0]] * len(one) + [frame.types[1]] * len(two)
            yield Window(place, one + two, types, 0)


def batches(windows: Sequence[Window]) -> Iterator[list[Window]]:
    """Windows by falling length, as many at once as the token budget holds; instructions of a batch are as long."""
    ordered = sorted(windows, key=lambda window: (window.instruction, len(window.ids)), reverse=True)
    for _, alike in groupby(ordered, key=lambda window: window.instruction):
        rest = list(alike)
        while rest:
            size = max(1, BATCH_TOKENS // max(1, len(rest[0].ids)))
            yield rest[:size]
            rest = rest[size:]


def _parts(ids: list[int], room: int) -> Iterator[list[int]]:
    count = max(1, -(-len(ids) // room))
    for n in range(count):
        yield ids[n * len(ids) // count : (n + 1) * len(ids) // count]


def _frame(tokenizer: Tokenizer, texts: int) -> _Frame:
    """Read off an example where special tokens stand."""
    encoding = tokenizer.encode("a") if texts == 1 else tokenizer.encode("a", "a")
    owners = encoding.sequence_ids
    ends = [place for place, owner in enumerate(owners) if owner is not None]
    second = owners.index(1) if texts == 2 else ends[0]
    inner = [n for n in range(ends[0], second) if owners[n] is None]
    types = (encoding.type_ids[ends[0]], encoding.type_ids[second])
    ids = encoding.ids
    return _Frame(ids[: ends[0]], [ids[n] for n in inner], ids[ends[-1] + 1 :], types)


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer can read, replaced one for one: offsets stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
