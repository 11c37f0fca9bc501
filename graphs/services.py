"""Outside services: their clients belong to the event loop that uses them, their kept replies to the process."""

from __future__ import annotations

import asyncio
import threading
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import SettingsError
from core.settings import Settings

if TYPE_CHECKING:  # imported for real by what first asks a service
    from core.cache import DiskCache, Mode
    from core.http import HttpClient
    from tools.knowledge.rest.knowledge import UmlsRest
    from tools.pubmed.client import EntrezClient
    from tools.wikipedia.client import WikipediaClient

CACHE_FILE = "replies.sqlite"


class Services:
    """Makes clients when they are first asked for. Making one reads certificates: do it off the loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, HttpClient] = WeakKeyDictionary()
        self._making = threading.Lock()

    @property
    def has_umls(self) -> bool:
        """Whether the UMLS service may be asked."""
        return self._settings.umls_key is not None

    def pubmed(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> EntrezClient:
        """PubMed's E-utilities."""
        from tools.pubmed.client import EntrezClient

        s = self._settings
        key = s.entrez_key.get_secret_value() if s.entrez_key else ""
        return EntrezClient(self._client(loop), self._cache, url=s.entrez_url, key=key, contact=s.contact, mode=mode)

    def wikipedia(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> WikipediaClient:
        """Wikipedia's API, of the language that the settings name."""
        from tools.wikipedia.client import WikipediaClient

        s = self._settings
        url = s.wikipedia_url or f"https://{s.wikipedia_language}.wikipedia.org/w/api.php"
        return WikipediaClient(self._client(loop), url, self._cache, mode)

    def umls(self, loop: asyncio.AbstractEventLoop, mode: Mode) -> UmlsRest:
        """The UMLS service; SettingsError without a key."""
        from tools.knowledge.rest.client import UmlsClient
        from tools.knowledge.rest.knowledge import UmlsRest

        if self._settings.umls_key is None:
            raise SettingsError("the source umls needs a key: set MEDATTEST_UMLS_KEY, or leave it out of the sources")
        key = self._settings.umls_key.get_secret_value()
        return UmlsRest(UmlsClient(self._client(loop), self._settings.umls_url, key, self._cache, mode))

    async def close(self) -> None:
        """Close the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _client(self, loop: asyncio.AbstractEventLoop) -> HttpClient:
        from core.http import HttpClient

        with self._making:  # sources of one question are made in several threads at once
            if loop not in self._clients:
                self._clients[loop] = HttpClient(contact=self._settings.contact)
            return self._clients[loop]

    @cached_property
    def _cache(self) -> DiskCache:
        from core.cache import DiskCache

        s = self._settings
        return DiskCache(s.home / CACHE_FILE, s.cache_hours * 3600, max_bytes=s.cache_mb * 2**20)
