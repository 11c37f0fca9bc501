"""What an embedder is. The one that is built in, `MiniLM`, is found here too, and loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.minilm import MiniLM

__all__ = ["Embedder", "Encode", "Matrix", "MiniLM", "encode_queries"]

Matrix = NDArray[np.float32]
"""Rows of vectors."""
Encode = Callable[[Sequence[str]], Matrix]
"""Vectors of texts (texts by dimensions), rows of norm 1."""


class Embedder(Protocol):
    """A bi-encoder: one vector a text, whatever its length.

    One that reads a question otherwise than a passage has `encode_queries(texts)` besides `encode(texts)`, with the
    same result type; the function of that name takes whichever there is.
    """

    @property
    def name(self) -> str:
        """What a collection records: vectors of another name are of another space."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens that the model reads at once, special ones included; a longer text is read in windows."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts (texts by dimensions), rows of norm 1; safe to call from several threads."""
        ...

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where the model's tokens stand in the text, in code points; no special tokens, nothing cut off."""
        ...


def encode_queries(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors of questions (texts by dimensions), rows of norm 1, to be compared with those of passages."""
    encode: Callable[[Sequence[str]], NDArray[np.float32]] = getattr(embedder, "encode_queries", embedder.encode)
    return encode(texts)


def __getattr__(name: str) -> object:
    # LangChain's base class of embeddings takes half a second to import; naming the protocol must not cost that.
    if name == "MiniLM":
        from core.minilm import MiniLM

        return MiniLM
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
