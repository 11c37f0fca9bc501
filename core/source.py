"""What a source of evidence is: the graph asks every source the same way."""

from __future__ import annotations

from typing import Protocol

from core.schema import Concept, Evidence, Value


class SourceQuery(Value):
    """What a source is asked: query texts, the first of them the question itself, and the concepts it is about."""

    queries: tuple[str, ...]
    concepts: tuple[Concept, ...] = ()
    collection: str | None = None
    limit: int = 30


class Source(Protocol):
    """A door to knowledge. It raises SourceError where it fails, and never returns an error as evidence."""

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        ...

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Evidence by falling relevance, ``query.limit`` pieces at most; an empty list where there is none."""
        ...
