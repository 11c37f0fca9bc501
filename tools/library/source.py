"""The library as a source of evidence."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from functools import partial

from core.errors import DataMissing, SourceError, StoreError
from core.schema import Evidence
from core.source import SourceQuery
from tools.library.library import Library


class LibrarySource:
    """Searches the texts that ship, whatever collection a query names."""

    name = "library"

    def __init__(self, library: Library, executor: Executor | None = None) -> None:
        """Search in this executor's threads, otherwise in asyncio's own: never on the event loop."""
        self._library = library
        self._executor = executor

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Passages by falling score; SourceError where a file that ships, or the index made of it, cannot be used."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(self._search, query))

    def _search(self, query: SourceQuery) -> list[Evidence]:
        try:
            if query.dense:
                return self._library.search([query.hypothetical or query.queries[0]], query.limit, dense=True)
            queries = (*query.queries, query.hypothetical) if query.hypothetical else query.queries
            return self._library.search(queries, query.limit)
        except (DataMissing, StoreError) as error:
            raise SourceError(str(error)) from error
