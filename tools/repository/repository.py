"""The repository: collections of documents, indexed into Chroma and searched by meaning and by words."""

from __future__ import annotations

import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from core.embeddings import Embedder, encode_queries
from core.errors import InputError, StoreBusy, StoreCorrupted, StoreError, UnknownCollection
from core.schema import Evidence
from tools.repository.catalogue import Catalogue, check_mismatch, collection_info
from tools.repository.derived import DerivedIndex, build
from tools.repository.documents import PassageId, check_collection_name, readable_id
from tools.repository.jsonl import JsonFields
from tools.repository.passages import Chunking, joined
from tools.repository.report import MAX_PROBLEMS, CollectionDetail, CollectionInfo, DocumentInfo, IndexReport, Progress
from tools.repository.search import Nearest, Searched, ranked
from tools.repository.store import Store

Floats = NDArray[np.float32]

BUILD_SECONDS = 600
WIDER = 8
"""So many times more passages are ranked where too few of the best ones are certified."""


class Repository:
    """The user's own documents; safe to search from several threads, while another process indexes."""

    def __init__(
        self,
        home: Path,
        embedder: Callable[[], Embedder],
        *,
        chroma_url: str | None = None,
        chunk_tokens: int = 128,
        chunk_overlap: int = 16,
        max_file_mb: int = 200,
        max_pdf_pages: int = 2000,
    ) -> None:
        """Name what it works with; nothing is opened, and the embedder is asked for when it is needed."""
        if chunk_overlap * 2 > chunk_tokens:
            raise InputError(
                f"passages of {chunk_tokens} tokens cannot share {chunk_overlap}: "
                "make MEDATTEST_CHUNK_OVERLAP half of MEDATTEST_CHUNK_TOKENS at most"
            )
        self._derived = home / "derived"
        self._locks = home / "locks"
        self._embedder = embedder
        self._chunking = Chunking(chunk_tokens, chunk_overlap)
        self._limits = (max_file_mb, max_pdf_pages)
        self._store = Store(home, chroma_url)
        self._catalogue = Catalogue(self._store, self._derived)
        self._opened: dict[str, DerivedIndex] = {}
        self._guard = threading.RLock()

    def index(
        self,
        paths: Sequence[Path],
        collection: str,
        *,
        certified: bool = False,
        fields: JsonFields | None = None,
        progress: Progress | None = None,
        most_problems: int | None = MAX_PROBLEMS,
    ) -> IndexReport:
        """Bring a collection up to what files and folders hold; make it where there is none.

        Documents that came from one of these paths before and are no longer there are removed, those of other paths
        stay. A run that was killed is taken up where it ended. The report names ``most_problems``, all for None.

        Raises:
            InputError: a path does not exist, or the collection's name cannot be one.
            EmbedderMismatch: the collection was made with another embedder or chunking.
            StoreBusy: another process is indexing this collection.
            StoreError: the data directory cannot be used.
        """
        # Parsers and their dependencies are not needed to search.
        from tools.repository.indexer import IndexRun
        from tools.repository.inventory import Inventory
        from tools.repository.loaders import Limits, Loader

        check_collection_name(collection)
        with self._locked(collection), self._guard:
            metadata = self._catalogue.collections().get(collection)
            embedder = self._embedder()
            inventory: Inventory | None = None
            before: DerivedIndex | None = None
            if metadata is not None:
                check_mismatch(collection, metadata, embedder.name, self._chunking)
                # What a killed run wrote is in Chroma, but in no derived index.
                before = None if metadata["writing"] else self._current(collection, metadata)
                inventory = Inventory.of_index(before) if before else Inventory.of_store(self._store, collection)
            loader = Loader(Limits(*self._limits), fields or JsonFields(), most_problems)
            run = IndexRun(self._store, collection, embedder, self._chunking, certified, loader, inventory, progress)
            run.run([Path(path) for path in paths])
            if run.wrote:
                revision = uuid.uuid4().hex
                self._opened[collection] = self._build(collection, revision, before, run.touched)
                run.commit(revision)
                self._catalogue.collections()
            return run.report()

    def collections(self) -> list[CollectionInfo]:
        """All collections, by name."""
        with self._guard:
            known = self._catalogue.collections()
        return [collection_info(name, known[name]) for name in sorted(known)]

    def check(self, name: str) -> None:
        """Raise UnknownCollection where there is no collection of that name."""
        self._metadata(name)

    def show(self, name: str) -> CollectionDetail:
        """A collection with its documents; raise UnknownCollection where there is none."""
        index = self._index(name)
        info = collection_info(name, self._metadata(name))
        documents = (_document_info(record) for _, record in index.documents())
        return CollectionDetail(info, tuple(sorted(documents, key=lambda d: d.id)))

    def delete(self, name: str) -> None:
        """Delete a collection and all that was derived from it; raise UnknownCollection where there is none."""
        self._metadata(name)
        with self._locked(name), self._guard:
            self._store.delete(name)
            self._opened.pop(name, None)
            shutil.rmtree(self._derived / name, ignore_errors=True)

    def search(
        self,
        collection: str | None,
        queries: Sequence[str],
        k: int,
        *,
        dense: bool = False,
        certified: bool = False,
    ) -> list[Evidence]:
        """The k passages that any query finds best, by falling score in [0, 1], which is the best over the queries.

        None searches all collections; where there are none, nothing is found. With ``dense`` the embeddings alone
        choose and order the passages; the scores are the fused ones all the same. With ``certified`` they are the k
        best of certified documents.

        Raises:
            UnknownCollection: there is none of that name.
            EmbedderMismatch: one was made with another embedder.
            StoreError: the data directory cannot be used.
        """
        names = [info.name for info in self.collections()] if collection is None else [collection]
        asked = list(dict.fromkeys(query for query in queries if query.strip()))
        searched: dict[str, Searched] = {}
        for name in names:
            check_mismatch(name, self._metadata(name), self._embedder().name)
            if (index := self._index(name)).size:
                searched[name] = Searched(index, self._nearest(name))
        if not asked or not searched or k < 1:
            return []
        names, indexes = list(searched), list(searched.values())
        vectors, wanted = encode_queries(self._embedder(), asked), k
        while True:
            hits = ranked(indexes, asked, vectors, wanted, dense=dense)
            records = ((hit, indexes[hit.index].index.record(hit.row)) for hit in hits)
            kept = [(hit, record) for hit, record in records if record["certified"] or not certified][:k]
            if len(kept) == k or len(hits) < wanted:
                return [_evidence(names[h.index], record, asked[h.query], h.score) for h, record in kept]
            wanted *= WIDER

    def vectors(self, evidence_ids: Sequence[str]) -> Floats:
        """The embeddings of passages as they are kept (passages by dimensions); raise InputError for an unknown one."""
        matrix = np.zeros((len(evidence_ids), self._embedder().dimensions), np.float32)
        wanted: dict[str, list[int]] = {}
        parsed = [PassageId.parse(evidence_id) for evidence_id in evidence_ids]
        for place, passage in enumerate(parsed):
            wanted.setdefault(passage.collection, []).append(place)
        for collection, places in wanted.items():
            index = self._index(collection)
            for place, row in zip(places, index.rows([parsed[p].entry for p in places]), strict=True):
                if row is None:
                    raise InputError(f"{evidence_ids[place]} is no longer in its collection: search again")
                matrix[place] = index.matrix[row]
        return matrix

    def whole(self, evidence: Evidence) -> Evidence:
        """A passage of a document with the document's whole text in its place, unchanged to the byte.

        Raises:
            InputError: the document is not the repository's, is gone or another since the passage was found, or was
                indexed before what stands between passages was kept.
            UnknownCollection: its collection is gone.
            StoreError: the data directory cannot be used.
        """
        passage = PassageId.parse(evidence.id)
        index = self._index(passage.collection)
        (row,) = index.rows([passage.entry])
        if row is None:
            raise InputError(f"{evidence.id} is no longer in its collection: ask again")
        first = row - passage.number
        count = int(index.record(row)["passages"])
        text = joined([index.record(first + n) for n in range(count)])
        if text is None:
            raise InputError(f"what stands between the passages of {evidence.id} is not kept: index its document again")
        if evidence.text not in text:
            raise InputError(f"the document of {evidence.id} has changed since it was searched: ask again")
        return evidence.model_copy(update={"text": text})

    def close(self) -> None:
        """Let go of Chroma; what is asked afterwards opens it again."""
        with self._guard:
            self._store.close()

    def _metadata(self, name: str) -> Mapping[str, Any]:
        with self._guard:
            known = self._catalogue.collections()
        if name not in known:
            there = f"there are {', '.join(sorted(known))}" if known else "there are none yet"
            raise UnknownCollection(f"no collection {name!r}: {there}; medattest index makes one")
        return known[name]

    def _index(self, name: str) -> DerivedIndex:
        """The derived index of the collection as it is, built where there is none."""
        metadata = self._metadata(name)
        with self._guard:
            held = self._current(name, metadata)
            if held is not None:
                return held
            # Another process may have indexed meanwhile, and removed what this one was about to open.
            revision = str(self._metadata(name)["revision"])
            self._opened[name] = self._build(name, revision)
            return self._opened[name]

    def _current(self, name: str, metadata: Mapping[str, Any]) -> DerivedIndex | None:
        """The derived index of this revision if there is one that can be read."""
        revision = str(metadata["revision"])
        held = self._opened.get(name)
        if held is not None and held.revision == revision:
            return held
        try:
            self._opened[name] = DerivedIndex(self._derived / name / revision)
        except StoreCorrupted:
            return None
        return self._opened[name]

    def _build(
        self, name: str, revision: str, reuse: DerivedIndex | None = None, touched: Sequence[str] | set[str] = ()
    ) -> DerivedIndex:
        self._store.renew()
        with self._lock(f"{name}.derived", BUILD_SECONDS):
            return build(self._store, name, revision, self._derived / name, reuse, touched)

    def _nearest(self, name: str) -> Nearest:
        def nearest(vectors: Floats, k: int) -> list[list[str]]:
            with self._guard:
                return self._store.nearest(name, vectors, k)

        return nearest

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        with self._lock(name, 0):
            yield

    @contextmanager
    def _lock(self, name: str, seconds: float) -> Iterator[None]:
        lock = FileLock(self._locks / f"{name}.lock", timeout=seconds)
        try:
            self._locks.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            raise StoreBusy(
                f"another process is writing the collection {name.removesuffix('.derived')}: wait until it has finished"
            ) from None
        except OSError as error:
            raise StoreError(f"{self._locks} cannot be written ({error.strerror}): see MEDATTEST_HOME") from error
        try:
            yield
        finally:
            lock.release()


def _evidence(collection: str, record: Mapping[str, Any], query: str, score: float) -> Evidence:
    return Evidence(
        id=str(PassageId(collection, record["doc"], record["n"])),
        text=record["text"],
        title=record.get("title", ""),
        url=record.get("url"),
        published=record.get("published"),
        source="repository",
        certified=record["certified"],
        query=query,
        score=score,
        owner=record.get("owner"),
        version=record.get("version"),
        reviewed=record.get("reviewed"),
        expires=record.get("expires"),
    )


def _document_info(record: Mapping[str, Any]) -> DocumentInfo:
    return DocumentInfo(
        id=readable_id(record["doc"]),
        title=record.get("title", ""),
        passages=record["passages"],
        certified=record["certified"],
        origin=record["origin"],
        url=record.get("url"),
        owner=record.get("owner"),
        version=record.get("version"),
        reviewed=record.get("reviewed"),
        expires=record.get("expires"),
    )
