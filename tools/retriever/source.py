"""A LangChain retriever as a source of evidence, with its own name, deadline and failures."""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any
from urllib.parse import quote

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from core.errors import SourceError, SourceTimeout
from core.privacy.boundary import outgoing
from core.schema import Evidence
from core.source import SourceQuery

MAX_THREADS = 4
"""Questions under way of a retriever that cannot be awaited, others wait; one that hangs keeps its thread for good."""
POLL_SECONDS = 0.02

_IDS = ("id", "doc_id", "document_id", "uid", "pmid", "doi")
_TITLES = ("title", "Title", "name")
_LINKS = ("url", "link", "source", "Source", "href")
_DATES = ("published", "Published", "publication_date", "date")
_ANYWHERE = ""
"""Where a retriever sends a question is not known, so it is taken to leave this machine."""


class RetrieverSource:
    """Evidence from the documents of a retriever; what fails or comes late is an error that names it.

    A retriever is asked each query without identifiers of patients. One without asynchronous code runs in a thread of
    its own, which cannot be ended: after the deadline nobody waits for it any more.
    """

    def __init__(self, name: str, retriever: BaseRetriever, deadline: float) -> None:
        """Ask this retriever, ``deadline`` seconds at most for all queries of one search."""
        self._name = name
        self._retriever = retriever
        self._deadline = deadline
        self._threads = threading.BoundedSemaphore(MAX_THREADS)
        methods = type(retriever)._aget_relevant_documents, type(retriever).ainvoke
        # LangChain's own only send the synchronous code to the event loop's few threads
        self._is_awaitable = any(method.__module__ != BaseRetriever.__module__ for method in methods)

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        return self._name

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Return the documents of all queries, the first ones of each first, each once."""
        cleared = [await asyncio.to_thread(outgoing, asked, _ANYWHERE) for asked in query.queries]
        texts = dict.fromkeys(text for each in cleared if (text := each.strip()))
        try:
            async with asyncio.timeout(self._deadline) as limit:
                answers = await asyncio.gather(*(self._asked(text) for text in texts))
        except TimeoutError as error:
            if not limit.expired():
                raise self._failure(error) from error
            raise SourceTimeout(
                f"the retriever {self._name} gave no answer within {self._deadline:g} s: try again later"
            ) from None
        except SourceError:
            raise
        except Exception as error:  # a retriever of anyone's may raise anything
            raise self._failure(error) from error
        found: dict[str, Evidence] = {}
        for evidence in self._evidence(answers, query.queries[0] if query.queries else ""):
            found.setdefault(evidence.id, evidence)
        return list(found.values())[: query.limit]

    async def _asked(self, text: str) -> Sequence[Document]:
        if self._is_awaitable:
            found: Any = await self._retriever.ainvoke(text)
        else:
            # Those under way may be other event loops', so there is no event to await.
            while not self._threads.acquire(blocking=False):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
            found = await self._in_thread(text)
        if not isinstance(found, list | tuple) or not all(isinstance(document, Document) for document in found):
            raise SourceError(f"the retriever {self._name} returned something other than documents: mend it")
        return found

    def _in_thread(self, text: str) -> asyncio.Future[Any]:
        """Ask in a daemon thread: one of an executor would keep the process from ending while it hangs."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()

        def settle(result: Any, error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        def work() -> None:
            result, failure = None, None
            try:
                result = context.run(self._retriever.invoke, text)
            except Exception as error:  # noqa: BLE001 - handed to whoever awaits
                failure = error
            finally:
                self._threads.release()
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(settle, result, failure)

        threading.Thread(target=work, name=f"retriever-{self._name}", daemon=True).start()
        return future

    def _failure(self, error: Exception) -> SourceError:
        """What failed, in words that hold neither the question nor a key: the error's own may."""
        return SourceError(
            f"the retriever {self._name} failed ({type(error).__name__} in {type(self._retriever).__name__}): "
            "check its arguments and the service it asks"
        )

    def _evidence(self, answers: Sequence[Sequence[Document]], question: str) -> Iterator[Evidence]:
        texts: dict[str, str] = {}
        for rank, row in enumerate(zip_longest(*answers)):
            for document in row:
                if document is None or not document.page_content.strip():
                    continue
                identifier = f"{self._name}:{_identifier(document)}"
                if texts.setdefault(identifier, document.page_content) != document.page_content:
                    identifier += f"#{_digest(document.page_content)}"  # passages of one document share its id
                yield Evidence(
                    id=identifier,
                    text=document.page_content.strip(),
                    title=_first(document.metadata, _TITLES) or "",
                    url=_link(document.metadata),
                    published=_first(document.metadata, _DATES),
                    source=self._name,
                    query=question,
                    score=round(1 / (1 + rank), 4),
                )


def _identifier(document: Document) -> str:
    own = document.id or _first(document.metadata, _IDS)
    return quote(own, safe="/:._-~") if own else _digest(document.page_content)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:16]


def _first(metadata: Mapping[str, Any], names: Sequence[str]) -> str | None:
    for name in names:
        value = metadata.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None


def _link(metadata: Mapping[str, Any]) -> str | None:
    values = (metadata.get(name) for name in _LINKS)
    return next((v for v in values if isinstance(v, str) and v.startswith(("https://", "http://"))), None)
