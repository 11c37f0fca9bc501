"""Clients of the emulated service; each one opened is closed at the end of its test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.cache import DiskCache, Mode
from core.http import HttpClient, Limits
from tests.emulators.entrez_records import LISTED
from tools.pubmed.client import EntrezClient
from tools.pubmed.headings import Headings
from tools.pubmed.retractions import Retractions

QUICK = Limits(connect=0.3, read=0.5, write=1.0, pool=2.0, deadline=5.0, attempts=3, backoff=0.02, max_bytes=2**20)
CONTACT = "ward@example.org"

Opened = Callable[..., EntrezClient]


@pytest.fixture
def cache_path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "pubmed.sqlite"


@pytest.fixture
async def opened(cache_path: Path) -> AsyncIterator[Opened]:
    """What makes a client of the service at an address, with HTTP connections and a view of the cache of its own."""
    connections: list[HttpClient] = []
    caches: list[DiskCache] = []

    def open_client(
        url: str, mode: Mode = "normal", key: str = "", pace: float | None = 0.0, limits: Limits = QUICK
    ) -> EntrezClient:
        connections.append(HttpClient(limits, seed=1))
        caches.append(DiskCache(cache_path, 3600.0))
        client = EntrezClient(connections[-1], caches[-1], url=url, key=key, contact=CONTACT, mode=mode)
        if pace is not None:
            connections[-1].pace(url, pace)
        return client

    yield open_client
    for connection in connections:
        await connection.close()
    for cache in caches:
        cache.close()


@pytest.fixture
def listed(tmp_path: Path) -> Retractions:
    """An offline list of retracted articles with one of the emulator's."""
    path = tmp_path / "retractions.tsv"
    path.write_text(f"993\n{LISTED}\n", encoding="ascii")
    return Retractions(path)


@pytest.fixture
def headings(tmp_path: Path) -> Headings:
    """A table of three MeSH descriptors."""
    path = tmp_path / "mesh.tsv"
    rows = (
        "D008687\tMetformin",
        "D011085\tPolycystic Ovary Syndrome\tStein-Leventhal\tC13",
        "D008382\tMarfan Syndrome",
    )
    path.write_text(
        "\n".join((*rows, "D012878\tSkin Neoplasms", "D003924\tDiabetes Mellitus, Type 2")), encoding="utf-8"
    )
    return Headings(path)
