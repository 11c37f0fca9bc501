"""Clients of the emulated service; each one opened is closed at the end of its test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.cache import DiskCache, Mode
from core.http import HttpClient, Limits
from tools.wikipedia.client import WikipediaClient

QUICK = Limits(connect=0.5, read=1.0, write=1.0, pool=2.0, deadline=5.0, attempts=3, backoff=0.02)

Opened = Callable[..., WikipediaClient]


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    """What makes a client of the service at an address, with HTTP connections and a view of the cache of its own."""
    connections: list[HttpClient] = []
    caches: list[DiskCache] = []

    def open_client(url: str, mode: Mode = "normal") -> WikipediaClient:
        connections.append(HttpClient(QUICK, contact="ops@example.org", seed=1))
        caches.append(DiskCache(tmp_path / "cache" / "replies.sqlite", 3600.0))
        return WikipediaClient(connections[-1], url, caches[-1], mode)

    yield open_client
    for connection in connections:
        await connection.close()
    for cache in caches:
        cache.close()
