"""What metrics work with beside the records: an encoder, a linker, a model, a verifier. Each may be missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Matrix
from core.schema import Mention

if TYPE_CHECKING:
    from core.model.client import Model


class TokenVectors(NamedTuple):
    """The vectors of a text's tokens (tokens by dimensions), and the word that each is of; −1 for a special token."""

    vectors: Matrix
    words: NDArray[np.int64]


class TokenEncoder(Protocol):
    """An encoder that gives a vector for each token as it stands in its text."""

    @property
    def name(self) -> str:
        """Which encoder: its figures are comparable with those of no other."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Every text's vectors, in order."""
        ...


@dataclass(frozen=True)
class Scorers:
    """Collaborators of the metrics; what is None makes the metrics that need it not available."""

    encoder: TokenEncoder | None = None
    link: Callable[[str], Sequence[Mention]] | None = None
    model: Model | None = None
    log_probabilities: Callable[[str, str], Sequence[float] | None] | None = None
    """Of an answer's tokens, given a question, in natural logarithms; None where the model does not tell."""
    asked: str = ""
    """The name of the model behind both."""
    claims: Callable[[str], Sequence[str]] | None = None
    """The claims that an English text makes."""
    supports: Callable[[Sequence[tuple[str, str]]], Sequence[bool]] | None = None
    """Of (evidence, statement) pairs whether the evidence supports all that the statement claims."""
    wordnet: Path | None = None
    """Where WordNet's files are, for METEOR's synonyms."""
    whole: bool = False
    """Whether NMISS holds the whole answer against the context, not only what the reference lacks."""
