"""What a source of evidence is: the graph asks every source the same way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from pydantic import Field

from core.schema import Concept, Evidence, Value


class SourceQuery(Value):
    """What a source is asked: query texts, the first of them the question itself, and the concepts it is about."""

    queries: tuple[str, ...]
    concepts: tuple[Concept, ...] = ()
    live: int = Field(
        2, ge=1, description="of the query texts, those that a service is asked at most: each costs requests"
    )
    collection: str | None = None
    limit: int = 30
    hypothetical: str = Field("", description="a document that would answer: one more query where texts are embedded")
    certified: bool = Field(False, description="certified documents alone")
    dense: bool = Field(False, description="rank by the hypothetical document's embedding alone, where there are any")


class Source(Protocol):
    """A door to knowledge. It raises SourceError where it fails, and never returns an error as evidence."""

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        ...

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Evidence by falling relevance, ``query.limit`` pieces at most; an empty list where there is none."""
        ...


_gaps: ContextVar[list[str] | None] = ContextVar("source_gaps", default=None)


@contextmanager
def collecting_gaps() -> Iterator[list[str]]:
    """Collect what a source could not ask while it found something all the same; in tasks begun inside too."""
    gaps: list[str] = []
    token = _gaps.set(gaps)
    try:
        yield gaps
    finally:
        _gaps.reset(token)


def report_gap(error: object) -> None:
    """Tell whoever collects that a part of the search failed: what was found is not all there may be."""
    gaps = _gaps.get()
    if gaps is not None and str(error) not in gaps:
        gaps.append(str(error))
