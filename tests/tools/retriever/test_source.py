from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from core.errors import SourceError, SourceTimeout
from core.privacy.boundary import noting
from core.source import SourceQuery
from tools.retriever.source import MAX_THREADS, RetrieverSource

pytestmark = pytest.mark.timeout(20)


class Blocking(BaseRetriever):
    """Has no asynchronous code; ``answers`` are what it returns, raises, or waits for."""

    answers: dict[str, Any] = {}  # noqa: RUF012 - a field of a Pydantic model, copied for each

    def _get_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Document]:
        found = self.answers[query]
        if isinstance(found, Exception):
            raise found
        if isinstance(found, threading.Event):
            found.wait(10)
            return []
        documents: list[Document] = found
        return documents


class Old(Blocking):
    """As retrievers were written before they had callbacks: LangChain gives it asynchronous code of its own."""

    def _get_relevant_documents(self, query: str) -> list[Document]:  # type: ignore[override]
        return super()._get_relevant_documents(query)


class Awaitable(Blocking):
    """Asynchronous all through."""

    async def _aget_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Document]:
        if isinstance(self.answers[query], threading.Event):
            await asyncio.sleep(10)
        return self._get_relevant_documents(query)


def source(kind: type[Blocking], deadline: float = 5.0, **answers: Any) -> RetrieverSource:
    return RetrieverSource("notes", kind(answers=answers), deadline)


def asking(*queries: str, limit: int = 30) -> SourceQuery:
    return SourceQuery(queries=queries, limit=limit)


both = pytest.mark.parametrize("kind", [Blocking, Old, Awaitable])


@both
async def test_a_document_becomes_evidence(kind: type[Blocking]) -> None:
    metadata = {"id": "a b/1", "title": "Gout", "source": "https://x.example/1", "date": "2024-01-02", "score": 3}
    found = await source(kind, gout=[Document(" Text. ", metadata=metadata), Document("Bare.")]).search(asking("gout"))
    first, second = found
    assert (first.id, first.text, first.title) == ("notes:a%20b/1", "Text.", "Gout")
    assert (first.url, first.published, first.source, first.query) == (
        "https://x.example/1",
        "2024-01-02",
        "notes",
        "gout",
    )
    assert second.id == "notes:" + hashlib.sha256(b"Bare.").hexdigest()[:16]
    assert second.url is None
    assert first.score > second.score


async def test_all_queries_are_asked_and_each_document_comes_once() -> None:
    one, two, three = (Document(text, id=text) for text in ("one", "two", "three"))
    found = await source(Blocking, a=[one, two], b=[three, one]).search(asking("a", "b", "a"))
    assert [evidence.id for evidence in found] == ["notes:one", "notes:three", "notes:two"]
    assert len(await source(Blocking, a=[one, two]).search(asking("a", limit=1))) == 1


async def test_passages_of_one_document_are_told_apart_the_same_way_each_time() -> None:
    pages = [Document("page one", metadata={"pmid": 7}), Document("page two", metadata={"pmid": 7}), Document(" ")]
    first = await source(Blocking, a=pages).search(asking("a"))
    assert [evidence.id for evidence in first] == ["notes:7", f"notes:7#{hashlib.sha256(b'page two').hexdigest()[:16]}"]
    assert await source(Blocking, a=pages).search(asking("a")) == first


@both
async def test_nothing_found_is_nothing(kind: type[Blocking]) -> None:
    assert await source(kind, a=[]).search(asking("a")) == []
    assert await source(kind).search(asking("", " ")) == []


@both
@pytest.mark.parametrize("error", [ValueError("hunter2"), TimeoutError("hunter2"), KeyError("hunter2")])
async def test_a_failure_names_the_retriever_and_repeats_nothing(kind: type[Blocking], error: Exception) -> None:
    with pytest.raises(
        SourceError, match=rf"retriever notes failed \({type(error).__name__} in {kind.__name__}\)"
    ) as c:
        await source(kind, a=[Document("fine")], b=error).search(asking("a", "b"))
    assert not isinstance(c.value, SourceTimeout)
    assert "hunter2" not in str(c.value)


@both
async def test_a_late_retriever_is_given_up_at_its_deadline(kind: type[Blocking]) -> None:
    release = threading.Event()
    started = time.monotonic()
    with pytest.raises(SourceTimeout, match=r"retriever notes gave no answer within 0\.2 s"):
        await source(kind, 0.2, a=release).search(asking("a"))
    assert time.monotonic() - started < 2
    release.set()


@pytest.mark.parametrize("kind", [Blocking, Old])
async def test_one_that_hangs_takes_no_more_than_its_threads(kind: type[Blocking]) -> None:
    release = threading.Event()
    hanging = source(kind, 0.1, a=release, b=[])
    for _ in range(MAX_THREADS):
        with pytest.raises(SourceTimeout):
            await hanging.search(asking("a"))
    with pytest.raises(SourceTimeout):
        await hanging.search(asking("b"))
    release.set()
    for _ in range(100):
        await asyncio.sleep(0.02)
        try:
            assert await hanging.search(asking("b")) == []
            return
        except SourceError:
            continue
    pytest.fail("its threads did not come back")


async def test_something_other_than_documents_is_an_error() -> None:
    class Odd(Blocking):
        async def ainvoke(self, *_: Any, **__: Any) -> Any:
            return ["a text"]

    with pytest.raises(SourceError, match="retriever notes returned something other than documents"):
        await RetrieverSource("notes", Odd(), 5.0).search(asking("a"))


async def test_the_loop_is_free_while_a_blocking_one_works() -> None:
    release = threading.Event()
    search = asyncio.create_task(source(Blocking, a=release).search(asking("a")))
    await asyncio.sleep(0.05)
    assert not search.done()
    release.set()
    assert await search == []


async def test_it_is_asked_without_identifiers() -> None:
    with noting() as noted:
        await RetrieverSource("notes", Blocking(answers={"has gout": []}), 5.0).search(asking("Mr Ito has gout"))
    assert noted.kinds == ("name",)


@pytest.mark.parametrize("kind", [Blocking, Old])
async def test_queries_that_find_all_threads_busy_wait_for_one(kind: type[Blocking]) -> None:
    texts = [str(n) for n in range(3 * MAX_THREADS)]
    found = await source(kind, 20, **{text: [] for text in texts}).search(asking(*texts))
    assert found == []
