from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.embeddings import Embedder
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


URATE = "Allopurinol lowers urate."
DOCUMENT = "The drug warfarin lowers the risk of stroke in atrial fibrillation."


async def test_a_hypothetical_document_is_one_more_query(repository: Repository, docs: Path) -> None:
    repository.index([docs], "notes")
    source = RepositorySource(repository)
    plain = await source.search(SourceQuery(queries=("urate",), limit=3))
    with_document = await source.search(SourceQuery(queries=("urate",), hypothetical=DOCUMENT, limit=3))
    assert [e.query for e in plain] == ["urate"] * 3
    assert {e.query for e in with_document} == {"urate", DOCUMENT}
    assert next(e for e in with_document if "Warfarin" in e.text).query == DOCUMENT


@pytest.mark.parametrize(("hypothetical", "first"), [(DOCUMENT, "Warfarin"), ("", "Allopurinol")])
async def test_dense_ranks_by_the_documents_embedding_alone(
    repository: Repository, docs: Path, hypothetical: str, first: str
) -> None:
    repository.index([docs], "notes", certified=True)
    query = SourceQuery(queries=(URATE, "gout attack"), hypothetical=hypothetical, dense=True, limit=3)
    found = await RepositorySource(repository).search(query)
    assert first in found[0].text
    assert {e.query for e in found} == {hypothetical or URATE}
    assert found == repository.search("notes", [hypothetical or URATE], 3, dense=True)


def test_dense_order_is_that_of_the_cosines_and_the_scores_stay_fused(
    repository: Repository, docs: Path, hashing: Embedder
) -> None:
    repository.index([docs], "notes")
    for query in (URATE, DOCUMENT, "lens dislocation and tall stature", "gout"):
        (asked,) = hashing.encode([query])
        found = repository.search("notes", [query], 5, dense=True)
        cosines = repository.vectors([e.id for e in found]) @ asked
        assert list(cosines) == sorted(cosines, reverse=True)
        fused = {e.id: e.score for e in repository.search("notes", [query], 5)}
        assert {e.id: e.score for e in found} == fused
    assert repository.search("notes", [" "], 5, dense=True) == []


@pytest.mark.parametrize("dense", [True, False])
async def test_the_best_certified_passages_are_ranked_however_many_others_are_better(
    repository: Repository, tmp_path: Path, dense: bool
) -> None:
    for folder, count in (("certified", 4), ("others", 60)):
        (tmp_path / folder).mkdir()
        for n in range(count):
            words = "gout urate attack" if folder == "others" else "gout leaflet"
            (tmp_path / folder / f"{n}.txt").write_text(f"{words} number {n}.")
    repository.index([tmp_path / "certified"], "leaflets", certified=True)
    repository.index([tmp_path / "others"], "notes")
    query = SourceQuery(queries=("gout urate attack",), limit=3, dense=dense, certified=True)
    found = await RepositorySource(repository).search(query)
    assert len(found) == 3
    assert all(e.certified for e in found)
    assert len(await RepositorySource(repository).search(query.model_copy(update={"limit": 50}))) == 4
