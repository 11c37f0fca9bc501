"""The repository as a source of evidence."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from functools import partial

from core.errors import SourceError, StoreError, UsageError
from core.schema import Evidence
from core.source import SourceQuery, report_gap
from tools.repository.repository import Repository


class RepositorySource:
    """Searches the collection that a query names, otherwise all collections."""

    name = "repository"

    def __init__(self, repository: Repository, executor: Executor | None = None) -> None:
        """Search in this executor's threads, otherwise in asyncio's own: never on the event loop."""
        self._repository = repository
        self._executor = executor

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Passages by falling score; an empty list where there are no collections.

        Raises:
            UnknownCollection: the query names a collection that is not there.
            EmbedderMismatch: it names one that was made with another embedder.
            SourceError: the store cannot be read, or one of all collections was made with another embedder.
        """
        loop = asyncio.get_running_loop()
        found, unfinished = await loop.run_in_executor(self._executor, partial(self._search, query))
        for name in unfinished:
            report_gap(f"the collection {name} is being written, or a run was cut off: if so, medattest index it again")
        return found

    def _search(self, query: SourceQuery) -> tuple[list[Evidence], list[str]]:
        """What is found, and which of the collections that were searched are not whole."""
        try:
            unfinished = [
                info.name
                for info in self._repository.collections()
                if not info.finished and query.collection in (None, info.name)
            ]
            return self._found(query), unfinished
        except StoreError as error:
            raise SourceError(str(error)) from error
        except UsageError as error:
            if query.collection is not None:
                raise
            # Nobody named that collection, so the question itself is not at fault.
            raise SourceError(str(error)) from error

    def _found(self, query: SourceQuery) -> list[Evidence]:
        if query.dense:
            asked = query.hypothetical or query.queries[0]
            return self._repository.search(
                query.collection, [asked], query.limit, dense=True, certified=query.certified
            )
        queries = (*query.queries, query.hypothetical) if query.hypothetical else query.queries
        return self._repository.search(query.collection, queries, query.limit, certified=query.certified)
