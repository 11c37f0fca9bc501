"""What fits a model's window: whole pieces by their rank; what does not fit is counted, never cut unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

BYTES_PER_TOKEN = 3
"""Fewer than any common tokeniser needs for a token of prose, so that the estimate errs towards too many tokens."""


class Fitted(NamedTuple, Generic[T]):
    """What is shown, in its order, and how many pieces are not."""

    shown: tuple[T, ...]
    omitted: int


def estimated_tokens(text: str) -> int:
    """An upper estimate of the tokens of a text, for a model whose tokeniser is not known."""
    return -(-len(text.encode("utf-8", errors="replace")) // BYTES_PER_TOKEN)


def fit(pieces: Sequence[T], room: int, written: Callable[[T], str]) -> Fitted[T]:
    """The pieces that fit into ``room`` tokens as they are written in the prompt, those of a higher rank first.

    A piece that is too long for what is left is omitted, and shorter ones after it still take part.
    """
    shown: list[T] = []
    left = room
    for piece in pieces:
        size = estimated_tokens(written(piece))
        if size <= left:
            shown.append(piece)
            left -= size
    return Fitted(tuple(shown), len(pieces) - len(shown))
