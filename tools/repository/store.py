"""Chroma, the record of every collection: embedded in the data directory, or a server.

A passage is one entry: its id is ``<document, percent-encoded>#<number>``, its metadata hold its text and what is known
of its document, ``hash`` and ``passages`` among them. A document counts only where all its passages of one hash are
there, so that a killed run leaves nothing that looks whole and is not. Texts stand in the metadata, not in Chroma's
``documents``: these would be indexed by trigrams, which takes as long as all other writing and serves no search here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, StoreCorrupted, StoreError

if TYPE_CHECKING:
    import httpx
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection

SCHEMA = 1
EF_CONSTRUCTION = 64
EF_SEARCH = 512
PAGE = 2_000
SERVER_SECONDS = 60.0

Metadata = Mapping[str, Any]
Floats = NDArray[np.float32]

_DAMAGE = ("malformed", "not a database", "hnsw", "pickle", "finding id", "deserial", "no such table", "compactor")


@dataclass(frozen=True, slots=True)
class Fetched:
    """Entries of a collection: their ids, metadata, and vectors (entries by dimensions) where asked for."""

    ids: Sequence[str]
    metadata: Sequence[Metadata]
    vectors: Floats


class Store:
    """Collections of Chroma; it is imported and opened when first needed, which takes about a second."""

    def __init__(self, home: Path, url: str | None) -> None:
        """Use ``home/chroma``, or the server at ``url``."""
        self.folder = home / "chroma"
        self.url = url
        self._opened: ClientAPI | None = None

    @property
    def exists(self) -> bool:
        """Whether there is anything to open."""
        return self.url is not None or self.folder.exists()

    def stamp(self) -> list[int] | None:
        """What differs after every write to the embedded store, found without opening it; None for a server.

        The change counter is part of SQLite's file format: bytes 24 to 27, raised by every transaction.
        """
        if self.url is not None:
            return None
        try:
            path = self.folder / "chroma.sqlite3"
            with path.open("rb") as file:
                counter = int.from_bytes(file.read(28)[24:], "big")
            stat = path.stat()
        except OSError:
            return None
        return [counter, stat.st_size, stat.st_mtime_ns, stat.st_ino]

    def open(self) -> None:
        """Open it now; this writes to an embedded store, reading does not."""
        with self._errors():
            self._client()

    def renew(self) -> None:
        """Make sure that vectors which another process wrote are seen: the embedded Chroma keeps what it has read."""
        if self.url is None:
            self.close()

    def close(self) -> None:
        """Let go of Chroma; what is asked afterwards opens it again."""
        if self._opened is None:
            return
        sessions = _sessions(self._opened)
        self._opened.close()  # type: ignore[attr-defined]  # on every client, not on the interface
        for session in sessions:
            session.close()
        self._opened = None

    def metadata(self) -> dict[str, Metadata]:
        """Metadata of the collections that Medattest made, by name."""
        with self._errors():
            collections = self._client().list_collections()
        return {c.name: dict(c.metadata) for c in collections if c.metadata and "medattest_schema" in c.metadata}

    def create(self, name: str, metadata: Metadata) -> None:
        """Make a collection; raise InputError where another program has one of that name."""
        configuration: CreateCollectionConfiguration = {
            "hnsw": {"space": "cosine", "ef_construction": EF_CONSTRUCTION, "ef_search": EF_SEARCH}
        }
        with self._errors():
            if any(c.name == name for c in self._client().list_collections()):
                raise InputError(f"{name} is a collection of another program on this Chroma: choose another name")
            self._client().create_collection(
                name,
                metadata={**metadata, "medattest_schema": SCHEMA},
                embedding_function=None,
                configuration=configuration,
            )

    def delete(self, name: str) -> None:
        """Delete a collection with all it holds."""
        with self._errors():
            self._client().delete_collection(name)

    def update(self, name: str, **changes: str | int) -> None:
        """Change metadata of a collection."""
        with self._errors():
            collection = self._collection(name)
            collection.modify(metadata={**(collection.metadata or {}), **changes})

    def upsert(self, name: str, ids: Sequence[str], vectors: Floats, metadata: Sequence[Metadata]) -> None:
        """Write entries, in as few transactions as Chroma takes them."""
        with self._errors():
            collection, most = self._collection(name), self._batch()
            for start in range(0, len(ids), most):
                part = slice(start, start + most)
                collection.upsert(list(ids[part]), embeddings=vectors[part], metadatas=list(metadata[part]))

    def amend(self, name: str, ids: Sequence[str], change: Metadata) -> None:
        """Change some metadata of entries, leaving everything else."""
        with self._errors():
            collection = self._collection(name)
            for start in range(0, len(ids), PAGE):
                part = list(ids[start : start + PAGE])
                collection.update(part, metadatas=[dict(change)] * len(part))

    def remove(self, name: str, ids: Sequence[str]) -> None:
        """Delete entries."""
        with self._errors():
            collection = self._collection(name)
            for start in range(0, len(ids), PAGE):
                collection.delete(list(ids[start : start + PAGE]))

    def ids(self, name: str) -> list[str]:
        """Ids of all entries."""
        with self._errors():
            return list(self._collection(name).get(include=[])["ids"])

    def fetch(self, name: str, ids: Sequence[str], vectors: bool = True) -> Fetched:
        """Entries by their ids, in that order; one that is gone meanwhile is left out."""
        include: Any = ["metadatas", "embeddings"] if vectors else ["metadatas"]
        with self._errors():
            found = self._collection(name).get(list(ids), include=include)
        place = {entry: i for i, entry in enumerate(found["ids"])}
        order = [place[entry] for entry in ids if entry in place]
        metadata = found["metadatas"] or []
        matrix = (
            np.asarray(found["embeddings"], np.float32)[order] if vectors and order else np.zeros((0, 0), np.float32)
        )
        return Fetched([found["ids"][i] for i in order], [metadata[i] for i in order], matrix)

    def pages(self, name: str) -> Iterator[Fetched]:
        """All entries without vectors."""
        ids = self.ids(name)
        for start in range(0, len(ids), PAGE):
            yield self.fetch(name, ids[start : start + PAGE], vectors=False)

    def nearest(self, name: str, vectors: Floats, k: int) -> list[list[str]]:
        """Ids of the k approximately nearest entries of each query."""
        with self._errors():
            return self._collection(name).query(query_embeddings=vectors, n_results=k, include=[])["ids"]

    def _batch(self) -> int:
        return int(self._client().get_max_batch_size())

    def _collection(self, name: str) -> Collection:
        return self._client().get_collection(name, embedding_function=None)

    def _client(self) -> ClientAPI:
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def _open(self) -> ClientAPI:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        if self.url is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            return chromadb.PersistentClient(self.folder, settings)
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"MEDATTEST_CHROMA_URL is {self.url!r}: give one such as http://127.0.0.1:8000")
        secure = parts.scheme == "https"
        client = chromadb.HttpClient(parts.hostname, parts.port or (443 if secure else 80), secure, settings=settings)
        for session in _sessions(client):
            session.timeout = SERVER_SECONDS
        return client

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Chroma's errors as Medattest's, saying what to do."""
        import httpx
        from chromadb.errors import ChromaError

        try:
            yield
        except (ChromaError, ValueError, OSError, httpx.HTTPError) as error:
            raise self._explained(error) from error
        except BaseException as error:
            if _is_of_damage(error):
                raise self._damaged(type(error).__name__) from error
            raise

    def _explained(self, error: Exception) -> StoreError:
        if self.url is not None:
            return StoreError(f"the Chroma server at {self.url} does not do as asked ({error}): see that it runs there")
        if any(mark in str(error).lower() for mark in _DAMAGE):
            return self._damaged(str(error))
        return StoreError(
            f"the store in {self.folder} cannot be used ({error}): see that the disk has room and is writable"
        )

    def _damaged(self, seen: str) -> StoreCorrupted:
        return StoreCorrupted(
            f"the store in {self.folder} is damaged ({seen}): restore it from a backup, or move the folder away "
            "and index the documents again"
        )


def _is_of_damage(error: BaseException) -> bool:
    """Of a damaged file Chroma's core panics, past Exception, and what failed to open is found half made later."""
    half_made = isinstance(error, AttributeError) and error.name == "bindings"
    return half_made or type(error).__name__ == "PanicException"


def _sessions(client: ClientAPI) -> list[httpx.Client]:
    """HTTP clients of a server's client and of its inner one: Chroma gives them no timeout and never closes them."""
    owners = (client, getattr(client, "_admin_client", None))
    sessions = (getattr(getattr(owner, "_server", None), "_session", None) for owner in owners)
    return [session for session in sessions if session is not None]
