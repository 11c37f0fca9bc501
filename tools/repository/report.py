"""What the repository tells of its work and of what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MAX_PROBLEMS = 1_000
"""Problems that a report names unless all are wanted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be indexed, or not as it was meant: where, and what is wrong with it."""

    where: str
    what: str

    def __str__(self) -> str:
        """As a line for the user."""
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far a run of indexing is: documents read, passages kept, passages a second, and the share of bytes read."""

    documents: int
    passages: int
    rate: float
    share: float


Progress = Callable[[IndexProgress], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run of indexing did.

    ``documents`` and ``passages`` are what the collection holds now; the other counts are this run's documents.
    ``skipped`` counts files of unknown suffixes, by suffix. ``problems`` are the first of
    ``problem_count``, where not all are wanted. ``written`` counts the passages that were embedded in ``seconds``.
    """

    collection: str
    documents: int
    passages: int
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    empty: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    written: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A collection: what it holds and how it was made."""

    name: str
    documents: int
    passages: int
    certified_documents: int
    embedder: str
    chunk_tokens: int
    chunk_overlap: int
    revision: str
    updated: str
    finished: bool = True
    """False where a run was cut off, or is under way."""

    @property
    def certified(self) -> bool:
        """Whether every document is certified."""
        return 0 < self.documents == self.certified_documents


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document of a collection."""

    id: str
    title: str
    passages: int
    certified: bool
    origin: str
    url: str | None = None
    owner: str | None = None
    version: str | None = None
    reviewed: str | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionDetail:
    """A collection with its documents, by id."""

    info: CollectionInfo
    documents: tuple[DocumentInfo, ...]
