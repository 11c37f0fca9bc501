"""A tiny release, imported, and what asks the store that it gives."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.tools.knowledge.umls.meta import write_meta
from tools.knowledge.database import FILE_NAME
from tools.knowledge.progress import silent
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.umls import ImportReport, import_umls
from tools.knowledge.vocabularies.records import Loader

Rows = Callable[[str], list[Any]]
Import = Callable[..., ImportReport]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    return write_meta(tmp_path)


@pytest.fixture
def run(home: Path) -> Import:
    """Import a META folder into ``home``, without open vocabularies unless some are given."""

    def imported(
        meta: Path, *, vocabularies: Collection[str] | None = None, loaders: Sequence[Loader] = (), **more: Any
    ) -> ImportReport:
        more.setdefault("progress", silent)
        return import_umls(meta, home, vocabularies=vocabularies, loaders=loaders, **more)

    return imported


@pytest.fixture
def rows(home: Path) -> Rows:
    """Ask the imported store in SQL."""

    def asked(sql: str) -> list[Any]:
        with closing(sqlite3.connect(home / FILE_NAME)) as connection:
            return connection.execute(sql).fetchall()

    return asked


@pytest.fixture
def opened(home: Path) -> Iterator[Callable[[], KnowledgeStore]]:
    """Open the store, as often as one likes."""
    stores: list[KnowledgeStore] = []

    def store() -> KnowledgeStore:
        stores.append(KnowledgeStore.open(home, loaders=[]))
        return stores[-1]

    yield store
    for found in stores:
        found.close()
