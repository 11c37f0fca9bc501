"""What is asked of medical knowledge, whether it stands in a local store or behind a service."""

from __future__ import annotations

from typing import Protocol

from core.schema import Concept, Triple, Value


class Definition(Value):
    """What a vocabulary says that a concept is; an empty ``vocabulary`` says that it is not recorded which one."""

    text: str
    vocabulary: str = ""


class Knowledge(Protocol):
    """A door to concepts. An identifier is a CUI, or a CURIE such as ``MESH:D003920``.

    What is not known is empty or None; SourceError says that it could not be asked.
    """

    async def lookup(self, term: str, limit: int) -> tuple[Concept, ...]:
        """Return the concepts that a term names, ``limit`` at most; an identifier is a term too."""
        ...

    async def concept(self, identifier: str) -> Concept | None:
        """Return the concept of an identifier."""
        ...

    async def names(self, identifier: str) -> tuple[str, ...]:
        """Return all names of a concept, the preferred one first."""
        ...

    async def definitions(self, identifier: str) -> tuple[Definition, ...]:
        """Return the definitions of a concept."""
        ...

    async def relations(self, identifier: str, limit: int) -> tuple[Triple, ...]:
        """Return relations that a concept takes part in, as head or tail, ``limit`` at most."""
        ...
