"""One run of indexing: embed and write what is new or changed, remove what is gone, and leave nothing half done."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.embeddings import Embedder
from core.errors import StoreError
from tools.repository.catalogue import new_metadata
from tools.repository.documents import PROVENANCE, Document
from tools.repository.inventory import Inventory, Known
from tools.repository.loaders import Loaded, Loader, origin_of, read_from
from tools.repository.passages import Chunking, cut
from tools.repository.report import IndexProgress, IndexReport, Progress
from tools.repository.store import Store

BATCH = 512
MAX_TITLE_CHARS = 500
QUIET_DOCUMENTS = 1_000
"""Unchanged documents between two calls of the progress callback."""


@dataclass(slots=True)
class _Batch:
    ids: list[str] = field(default_factory=list)
    embedded: list[str] = field(default_factory=list)
    metadata: list[dict[str, Any]] = field(default_factory=list)
    completes: list[tuple[str, Known]] = field(default_factory=list)


class IndexRun:
    """A run over some paths; it holds the collection's lock, so nobody else writes there."""

    def __init__(
        self,
        store: Store,
        name: str,
        embedder: Embedder,
        chunking: Chunking,
        certified: bool,
        loader: Loader,
        inventory: Inventory | None,
        progress: Progress | None,
    ) -> None:
        """Prepare it; ``inventory`` is None where there is no such collection yet."""
        self.touched: set[str] = set()
        self.wrote = False
        self._store = store
        self._name = name
        self._embedder = embedder
        self._chunking = chunking
        self._certified = certified
        self._loader = loader
        self._new = inventory is None
        self._inventory = inventory or Inventory()
        self._progress = progress
        self._seen: set[str] = set()
        self._moved: dict[str, list[str]] = {}
        self._counts = {"added": 0, "changed": 0, "unchanged": 0, "removed": 0, "written": 0}
        self._started = time.perf_counter()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="index-writer")
        self._writing: Future[None] | None = None
        self._pending = _Batch()

    def run(self, paths: Sequence[Path]) -> None:
        """Bring the collection up to what the paths hold.

        A run that ends early, by an error or Ctrl-C, leaves whole documents only; the next one goes on from there.
        """
        try:
            for batch in self._batches(self._loader.documents(paths, self._is_taken)):
                self._write(batch)
            self._settle()
            self._amend_moved()
            self._remove_gone({origin_of(path) for path in paths})
            self._tell(force=True)
        except BaseException:
            self._abandon()
            raise
        finally:
            self._writer.shutdown(wait=True)

    def commit(self, revision: str) -> None:
        """Make what was written visible: searches take up a new revision."""
        known = self._inventory.documents.values()
        self._store.update(
            self._name,
            revision=revision,
            writing="",
            documents=len(known),
            passages=sum(k.passages for k in known),
            certified=sum(k.certified for k in known),
            updated=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def report(self) -> IndexReport:
        """What was done."""
        known, loader = self._inventory.documents.values(), self._loader
        return IndexReport(
            self._name,
            documents=len(known),
            passages=sum(k.passages for k in known),
            **self._counts,
            empty=loader.empty,
            skipped=dict(loader.skipped),
            problems=tuple(loader.problems),
            problem_count=loader.problem_count,
            seconds=time.perf_counter() - self._started,
        )

    def _batches(self, documents: Iterator[Loaded]) -> Iterator[_Batch]:
        batch = _Batch()
        for loaded in documents:
            for entry, embedded, metadata, complete in self._entries(loaded):
                batch.ids.append(entry)
                batch.embedded.append(embedded)
                batch.metadata.append(metadata)
                if complete:
                    batch.completes.append(complete)
                if len(batch.ids) == BATCH:
                    yield batch
                    batch = _Batch()
        if batch.ids:
            yield batch

    def _entries(self, loaded: Loaded) -> Iterator[tuple[str, str, dict[str, Any], tuple[str, Known] | None]]:
        """What is to be written for a document: nothing where the collection has it already."""
        document, key = loaded.document, loaded.document.key
        digest = document.digest(self._certified)
        if not self._wanted(loaded, key, digest):
            return
        passages = cut(document.text, document.title, self._embedder.token_spans, self._chunking)
        if not passages:
            self._loader.empty += 1
            self._seen.discard(key)
            return
        known = Known(digest, len(passages), self._certified, loaded.origin)
        shared = _shared_metadata(document, known)
        covered = 0
        for number, passage in enumerate(passages):
            text = document.text[passage.start : passage.end]
            metadata = {**shared, "n": number, "start": passage.start, "end": passage.end, "text": text}
            if passage.start > covered:  # blanks between passages, so that the document can be given whole
                metadata["between"] = document.text[covered : passage.start]
            covered = passage.end
            last = number == len(passages) - 1
            yield f"{key}#{number}", passage.embedded, metadata, (key, known) if last else None

    def _is_taken(self, name: str, path: Path, file: Path) -> bool:
        """Whether another file, which is still there, has given the collection a document of this name."""
        known = self._inventory.documents.get(Document(name, "").key)
        if known is None or known.origin == origin_of(path):
            return False
        other = read_from(name, known.origin)
        with suppress(OSError):
            return other is not None and not other.samefile(file)
        return False

    def _wanted(self, loaded: Loaded, key: str, digest: str) -> bool:
        if key in self._seen:
            self._loader.problem(loaded.place, f"the id {loaded.document.id!r} stands twice: the first one is kept")
            return False
        self._seen.add(key)
        known = self._inventory.documents.get(key)
        if known is not None and known.digest == digest:
            self._counts["unchanged"] += 1
            if known.origin != loaded.origin:
                self._moved.setdefault(loaded.origin, []).append(key)
            if len(self._seen) % QUIET_DOCUMENTS == 0:
                self._tell()
            return False
        if known is not None and known.origin != loaded.origin:
            self._loader.problem(
                loaded.place, f"replaces the document {loaded.document.id!r} that came from {known.origin}"
            )
        return True

    def _write(self, batch: _Batch) -> None:
        """Embed a batch while the one before is being written."""
        vectors = self._embedder.encode(batch.embedded)
        self._settle()
        self._begin()
        self._writing = self._writer.submit(self._store.upsert, self._name, batch.ids, vectors, batch.metadata)
        self._pending = batch
        self._tell()

    def _begin(self) -> None:
        """Before the first write: a reader of the collection must see that a run was begun and not ended."""
        if self.wrote:
            return
        if self._new:
            self._store.create(self._name, new_metadata(self._embedder.name, self._chunking))
        self._store.update(self._name, writing=uuid.uuid4().hex)
        self.wrote = True

    def _settle(self) -> None:
        """Wait for the batch that is being written, and account for the documents that it completed."""
        if self._writing is None:
            return
        writing, self._writing = self._writing, None
        writing.result()
        self._counts["written"] += len(self._pending.ids)
        leftovers: list[str] = []
        for key, known in self._pending.completes:
            before = self._inventory.documents.get(key)
            self._counts["changed" if before else "added"] += 1
            leftovers += (f"{key}#{n}" for n in range(known.passages, self._inventory.extent.get(key, 0)))
            self._inventory.documents[key] = known
            self._inventory.extent[key] = known.passages
            self.touched.add(key)
        self._store.remove(self._name, leftovers)

    def _amend_moved(self) -> None:
        documents = self._inventory.documents
        for origin, keys in self._moved.items():
            self._begin()
            self._store.amend(
                self._name, [f"{key}#{n}" for key in keys for n in range(documents[key].passages)], {"origin": origin}
            )
            for key in keys:
                old = documents[key]
                documents[key] = Known(old.digest, old.passages, old.certified, origin)
            self.touched.update(keys)

    def _remove_gone(self, origins: set[str]) -> None:
        """Remove documents of these origins that were not met again, and what a killed run left of others."""
        known, extent = self._inventory.documents, self._inventory.extent
        gone = [
            key
            for key, document in known.items()
            if document.origin in origins and key not in self._seen and self._loader.gone(key, document.origin)
        ]
        torn = [key for key in extent if key not in known]
        ids = [f"{key}#{n}" for key in (*gone, *torn) for n in range(extent[key])]
        if ids:
            self._begin()
            self._store.remove(self._name, ids)
        for key in gone:
            del known[key]
        self.touched.update(gone)
        self._counts["removed"] = len(gone)

    def _abandon(self) -> None:
        """Show what is whole of a run that ends early; where even that fails, the first error is the one to tell."""
        with suppress(StoreError):
            self._settle()
            if self.wrote:
                self.commit(uuid.uuid4().hex)

    def _tell(self, force: bool = False) -> None:
        if self._progress is None:
            return
        seconds = time.perf_counter() - self._started
        written = self._counts["written"]
        share = 1.0 if force else self._loader.share
        self._progress(IndexProgress(len(self._seen), written, written / seconds if seconds else 0.0, share))


def _shared_metadata(document: Document, known: Known) -> dict[str, Any]:
    """What every passage of a document carries; Chroma takes no None, so what is unknown is absent."""
    shared: dict[str, Any] = {
        "doc": document.key,
        "hash": known.digest,
        "passages": known.passages,
        "certified": known.certified,
        "origin": known.origin,
    }
    if document.title:
        shared["title"] = document.title[:MAX_TITLE_CHARS]
    return shared | {name: value for name in PROVENANCE if (value := getattr(document, name)) is not None}
