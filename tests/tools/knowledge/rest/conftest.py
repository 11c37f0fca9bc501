"""Clients of the emulated service; each one opened is closed at the end of its test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.cache import DiskCache, Mode
from core.http import HttpClient, Limits
from tests.emulators.umls import KEY
from tools.knowledge.rest.client import UmlsClient

QUICK = Limits(connect=0.5, read=2.0, write=1.0, pool=2.0, deadline=10.0, attempts=3, backoff=0.02)

Opened = Callable[..., UmlsClient]


@pytest.fixture
def cache_path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "umls.sqlite"


@pytest.fixture
async def opened(cache_path: Path) -> AsyncIterator[Opened]:
    """What makes a client of the service at an address, with HTTP connections and a view of the cache of its own."""
    connections: list[HttpClient] = []
    caches: list[DiskCache] = []

    def open_client(url: str, mode: Mode = "normal", key: str = KEY) -> UmlsClient:
        connections.append(HttpClient(QUICK, seed=1))
        caches.append(DiskCache(cache_path, 3600.0))
        return UmlsClient(connections[-1], url, key, caches[-1], mode)

    yield open_client
    for connection in connections:
        await connection.close()
    for cache in caches:
        cache.close()
