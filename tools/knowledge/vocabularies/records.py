"""What a vocabulary says before it is merged with others: records of things, and relations between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tools.knowledge.progress import Progress
from tools.knowledge.values import Vocabulary


class Record(NamedTuple):
    """One thing of a vocabulary.

    ``curies`` are its own ids, the first its usual one; ``former`` are ids it once had. ``names`` are (text, kind), the
    preferred one first. ``same`` are ids in other vocabularies (CUIs as ``UMLS:C…``) that the vocabulary gives for it:
    whether they mean the same is decided by who else claims them. ``inline`` is its name inside a sentence. ``types``
    are TUIs of semantic types. Names are looked for in text where ``linked``, single plain words only where
    ``single_words``.
    """

    curies: tuple[str, ...]
    names: Sequence[tuple[str, str]]
    inline: str
    same: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    definition: str = ""
    types: tuple[str, ...] = ()
    linked: bool = True
    single_words: bool = True


class Relation(NamedTuple):
    """A statement: head, relation, tail; ``negative`` says that it is stated not to hold. ``origin`` states it."""

    head: str
    relation: str
    tail: str
    negative: bool = False
    origin: str | None = None
    frequency: str | None = None
    onset: str | None = None
    sex: str | None = None
    references: str | None = None


class Loaded(NamedTuple):
    """A vocabulary, read."""

    vocabulary: Vocabulary
    records: Sequence[Record]
    relations: Sequence[Relation]


class Loader(Protocol):
    """A vocabulary on disk."""

    def fingerprint(self) -> str:
        """Tell this release of it from others; DataMissing where its data wheel is not installed."""
        ...

    def read(self, progress: Progress) -> Loaded:
        """Read it whole."""
        ...
