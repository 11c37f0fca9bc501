from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import EmbedderMismatch, SourceError, UnknownCollection
from core.source import SourceQuery
from tools.repository import Repository, RepositoryRetriever, RepositorySource

Make = Callable[..., Repository]


async def test_no_collections_are_no_evidence(repository: Repository) -> None:
    assert await RepositorySource(repository).search(SourceQuery(queries=("gout",))) == []


async def test_all_collections_are_searched_unless_one_is_named(
    repository: Repository, docs: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Gout is painful.")
    repository.index([docs], "notes")
    repository.index([other], "other")
    with ThreadPoolExecutor(1) as pool:
        source = RepositorySource(repository, pool)
        found = await source.search(SourceQuery(queries=("gout",), limit=3))
        assert {e.id.split("/")[0] for e in found} == {"repository:notes", "repository:other"}
        assert len(found) == 3
        named = await source.search(SourceQuery(queries=("gout",), collection="other"))
        assert [e.text for e in named] == ["Gout is painful."]
        with pytest.raises(UnknownCollection, match="notes, other"):
            await source.search(SourceQuery(queries=("gout",), collection="third"))


async def test_other_embedder_fails_the_source_but_not_the_question(make_repository: Make, hashing, docs: Path) -> None:  # type: ignore[no-untyped-def]  # the fixture's class is not importable
    make_repository().index([docs], "notes")
    source = RepositorySource(make_repository(type(hashing)("other")))
    with pytest.raises(SourceError, match="was made with the embedder hashing"):
        await source.search(SourceQuery(queries=("gout",)))
    with pytest.raises(EmbedderMismatch):
        await source.search(SourceQuery(queries=("gout",), collection="notes"))


def test_langchain_retriever(repository: Repository, docs: Path) -> None:
    repository.index([docs], "notes", certified=True)
    (found,) = RepositoryRetriever(repository=repository, collection="notes", k=1).invoke("warfarin")
    assert found.id == "repository:notes/heart%2Fafib.md#0"
    assert "Warfarin" in found.page_content
    assert found.metadata["certified"]
