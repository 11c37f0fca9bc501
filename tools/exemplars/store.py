"""The SQLite file of imported exemplars and of all exemplars' embeddings, shared by several processes.

``exemplars`` hold JSON of ``core.schema.Exemplar``. ``vectors`` belong to a text and to the embedder that made them, so
that another embedder, or an exemplar that changed, finds none and has them made anew. ``changes`` counts the imports.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from filelock import FileLock

from core.errors import StoreBusy, StoreCorrupted, StoreError
from core.schema import Exemplar, Task
from tools.exemplars.values import Floats, asks, digest, embedded_text

FILE_NAME = "exemplars.sqlite"
SCHEMA = 1
BUSY_SECONDS = 30.0
_PAGE = 500
_TABLES = f"""
CREATE TABLE IF NOT EXISTS exemplars(
    place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, task TEXT NOT NULL, asks BLOB NOT NULL, text BLOB NOT NULL,
    body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors(
    embedder TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY(embedder, text));
CREATE TABLE IF NOT EXISTS changes(count INTEGER NOT NULL);
INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT * FROM changes);
PRAGMA user_version = {SCHEMA};
"""


class Key(NamedTuple):
    """By what an exemplar is found: its id, a digest of what it asks, and one of the text that is embedded."""

    id: str
    asks: bytes
    text: bytes

    @classmethod
    def of(cls, exemplar: Exemplar) -> Key:
        """The key of an exemplar."""
        text = embedded_text(exemplar.context, exemplar.knowledge)
        return cls(exemplar.id, asks(exemplar.context), digest(text))


class ExemplarStore:
    """The file; each piece of work opens it for itself, so that threads and processes share it."""

    def __init__(self, home: Path) -> None:
        """Use ``home/exemplars.sqlite``; nothing happens to it yet."""
        self._path = home / FILE_NAME

    def changes(self) -> int:
        """How many imports changed the exemplars so far."""
        if not self._path.exists():
            return 0
        with self._connected() as connection:
            return int(connection.execute("SELECT count FROM changes").fetchone()[0])

    def keys(self, task: Task) -> list[Key]:
        """Keys of a task's exemplars, in the order of their import."""
        if not self._path.exists():
            return []
        with self._connected() as connection:
            found = connection.execute("SELECT id, asks, text FROM exemplars WHERE task = ? ORDER BY place", (task,))
            return [Key(*row) for row in found]

    def fetch(self, ids: Sequence[str]) -> dict[str, Exemplar]:
        """Exemplars by their ids; one that is not there is left out."""
        if not ids or not self._path.exists():
            return {}
        found: dict[str, Exemplar] = {}
        with self._connected() as connection:
            for start in range(0, len(ids), _PAGE):
                part = ids[start : start + _PAGE]
                query = f"SELECT id, body FROM exemplars WHERE id IN ({','.join('?' * len(part))})"
                found.update((id_, Exemplar.model_validate_json(body)) for id_, body in connection.execute(query, part))
        return found

    def all(self) -> list[Exemplar]:
        """Every exemplar, in the order of their import."""
        if not self._path.exists():
            return []
        with self._connected() as connection:
            found = connection.execute("SELECT body FROM exemplars ORDER BY place")
            return [Exemplar.model_validate_json(body) for (body,) in found]

    def keep(self, exemplars: Sequence[Exemplar]) -> tuple[int, int, int]:
        """Keep exemplars, all of them or none: how many are new, changed, the same."""
        counts = [0, 0, 0]
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            for exemplar in exemplars:
                counts[_keep(connection, exemplar)] += 1
            if counts[0] or counts[1]:
                connection.execute("UPDATE changes SET count = count + 1")
            connection.execute("COMMIT")
        return counts[0], counts[1], counts[2]

    def vectors(self, embedder: str, dimensions: int) -> Iterator[tuple[bytes, Floats]]:
        """Digest and embedding of every text that this embedder has read."""
        if not self._path.exists():
            return
        with self._connected() as connection:
            found = connection.execute("SELECT text, vector FROM vectors WHERE embedder = ?", (embedder,))
            for text, blob in found:
                vector = np.frombuffer(blob, np.float32)
                if len(vector) == dimensions:
                    yield text, vector

    def keep_vectors(self, embedder: str, texts: Sequence[bytes], vectors: Floats) -> None:
        """Keep embeddings of the texts with these digests."""
        rows = [(embedder, text, vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not self._path.exists():
                self._path.touch(mode=0o600)  # consultations are nobody else's business
            with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                _begin(self._path, connection)
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> StoreError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or isinstance(error, TimeoutError):
            return StoreBusy(f"another process has been writing to {self._path} for {BUSY_SECONDS:.0f} s: wait for it")
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StoreCorrupted(
                f"{self._path} is damaged ({error}): restore it from a backup, or move it away and import again"
            )
        return StoreError(
            f"exemplars cannot be kept in {self._path} ({error}): make its folder writable, free some space, "
            "or set MEDATTEST_HOME to another directory"
        )


def _begin(path: Path, connection: sqlite3.Connection) -> None:
    if not (version := _version(connection)):
        with FileLock(f"{path}.lock", timeout=BUSY_SECONDS):  # two processes cannot change the journal's mode at once
            if not _version(connection):
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
    elif version != SCHEMA:
        raise sqlite3.DatabaseError(f"it is of another version of Medattest: schema {version}, not {SCHEMA}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _keep(connection: sqlite3.Connection, exemplar: Exemplar) -> int:
    """Keep one exemplar: 0 where it is new, 1 where it changed, 2 where it is there already."""
    key, body = Key.of(exemplar), exemplar.model_dump_json()
    known = connection.execute("SELECT body FROM exemplars WHERE id = ?", (key.id,)).fetchone()
    if known is None:
        row = (key.id, exemplar.task, key.asks, key.text, body)
        connection.execute("INSERT INTO exemplars(id, task, asks, text, body) VALUES (?, ?, ?, ?, ?)", row)
        return 0
    if known[0] == body:
        return 2
    connection.execute("UPDATE exemplars SET text = ?, body = ? WHERE id = ?", (key.text, body, key.id))
    return 1
