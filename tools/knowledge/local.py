"""The store on this machine, asked as any other knowledge is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from core.errors import InputError, SourceError, StoreError
from core.schema import Concept, Triple
from tools.knowledge.interface import Definition
from tools.knowledge.store import KnowledgeStore

T = TypeVar("T")


class LocalKnowledge:
    """``Knowledge`` over a store; its reading happens in threads."""

    def __init__(self, store: KnowledgeStore) -> None:
        """Ask this store."""
        self._store = store

    async def lookup(self, term: str, limit: int) -> tuple[Concept, ...]:
        """Return the concepts of this id, CURIE or name, ``limit`` at most."""
        found: tuple[Concept, ...] = await self._read(lambda: tuple(self._store.lookup(term)), ())
        return found[: max(0, limit)]

    async def concept(self, identifier: str) -> Concept | None:
        """Return the concept of an id or CURIE."""
        return await self._read(lambda: self._store.concept(identifier), None)

    async def names(self, identifier: str) -> tuple[str, ...]:
        """Return all names of a concept, the preferred one first."""
        return await self._read(lambda: tuple(name.text for name in self._store.names(identifier)), ())

    async def definitions(self, identifier: str) -> tuple[Definition, ...]:
        """Return the definition of a concept, where the store has one; it does not say whose it is."""
        text = await self._read(lambda: self._store.definition(identifier), None)
        return (Definition(text=text),) if text else ()

    async def relations(self, identifier: str, limit: int) -> tuple[Triple, ...]:
        """Return relations that a concept takes part in, ``limit`` at most."""
        found: tuple[Triple, ...] = await self._read(lambda: tuple(self._store.relations(identifier, limit)), ())
        return found[: max(0, limit)]

    async def _read(self, work: Callable[[], T], unknown: T) -> T:
        try:
            return await asyncio.to_thread(work)
        except InputError:  # the store has no such concept
            return unknown
        except StoreError as error:
            raise SourceError(f"knowledge: {error}") from error
