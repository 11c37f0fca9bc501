from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreError
from tests.tools.knowledge.umls.conftest import Import
from tests.tools.knowledge.umls.meta import DIABETES
from tools.knowledge.database import FILE_NAME
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.vocabularies.hpo import HpoLoader


def test_other_data_wheels_do_not_throw_an_import_away(run: Import, meta: Path, home: Path, loader: HpoLoader) -> None:
    run(meta)
    store = KnowledgeStore.open(home, loaders=[loader])
    assert store.concept(DIABETES) is not None
    store.close()


def test_an_import_of_another_version_is_not_built_over(run: Import, meta: Path, home: Path, loader: HpoLoader) -> None:
    run(meta)
    with closing(sqlite3.connect(home / FILE_NAME)) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'schema'")
        connection.commit()
    with pytest.raises(StoreError, match=r"holds UMLS 2024AB and is of another version .* import-umls META` again"):
        KnowledgeStore.open(home, loaders=[loader])


def test_a_damaged_import_is_said(run: Import, meta: Path, home: Path, loader: HpoLoader) -> None:
    run(meta)
    with home.joinpath(FILE_NAME).open("ab") as file:
        file.write(b"more")
    with pytest.raises(StoreError, match="is damaged: run `medattest knowledge import-umls META` again"):
        KnowledgeStore.open(home, loaders=[loader])
