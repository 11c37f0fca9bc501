"""Outside services: their clients belong to the event loop that uses them, their kept replies to the process."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import SettingsError
from core.settings import Settings

if TYPE_CHECKING:  # imported for real by what first asks a service
    from core.cache import DiskCache
    from core.http import HttpClient
    from tools.knowledge.rest.knowledge import UmlsRest

CACHE_FILE = "replies.sqlite"


class Services:
    """Makes clients when they are first asked for. Making one reads certificates: do it off the loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, HttpClient] = WeakKeyDictionary()

    @property
    def has_umls(self) -> bool:
        """Whether the UMLS service may be asked."""
        return self._settings.umls_key is not None

    def umls(self, loop: asyncio.AbstractEventLoop) -> UmlsRest:
        """The UMLS service; SettingsError without a key."""
        from tools.knowledge.rest.client import UmlsClient
        from tools.knowledge.rest.knowledge import UmlsRest

        if self._settings.umls_key is None:
            raise SettingsError("the source umls needs a key: set MEDATTEST_UMLS_KEY, or leave it out of the sources")
        key = self._settings.umls_key.get_secret_value()
        return UmlsRest(UmlsClient(self._client(loop), self._settings.umls_url, key, self._cache))

    async def close(self) -> None:
        """Close the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _client(self, loop: asyncio.AbstractEventLoop) -> HttpClient:
        from core.http import HttpClient

        if loop not in self._clients:
            self._clients[loop] = HttpClient()
        return self._clients[loop]

    @cached_property
    def _cache(self) -> DiskCache:
        from core.cache import DiskCache

        s = self._settings
        return DiskCache(s.home / CACHE_FILE, s.cache_hours * 3600, max_bytes=s.cache_mb * 2**20)
