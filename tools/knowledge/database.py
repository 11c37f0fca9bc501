"""The SQLite file: its tables, how it is built whole or not at all, and how it is opened for reading.

``concepts`` are numbered; every other table points at those numbers. A row of ``relations`` reads as a sentence, head,
relation, tail; ``negative`` marks that the opposite is stated, and ``origin`` is the record that states it. ``arrays``
holds the linker's index.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import StoreBusy, StoreCorrupted, StoreError
from tools.knowledge.progress import Progress

FILE_NAME = "knowledge.sqlite"
SCHEMA_VERSION = "2"
BUILD_WAIT_SECONDS = 300.0

Fill = Callable[[sqlite3.Connection, Progress], None]
"""Writes all content into the empty tables."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE vocabularies (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, released TEXT,
    licence TEXT NOT NULL, acknowledgement TEXT NOT NULL, url TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE concepts (key INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, inline TEXT);
CREATE TABLE names (
    concept INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, vocabulary TEXT NOT NULL, link INTEGER NOT NULL);
CREATE TABLE types (concept INTEGER NOT NULL, tui TEXT NOT NULL, derived INTEGER NOT NULL);
CREATE TABLE definitions (concept INTEGER NOT NULL, text TEXT NOT NULL, vocabulary TEXT NOT NULL);
CREATE TABLE xrefs (concept INTEGER NOT NULL, curie TEXT NOT NULL, kind TEXT NOT NULL);
CREATE TABLE relations (
    head INTEGER NOT NULL, relation TEXT NOT NULL, tail INTEGER NOT NULL, vocabulary TEXT NOT NULL,
    negative INTEGER NOT NULL DEFAULT 0, origin TEXT, frequency TEXT, onset TEXT, sex TEXT, refs TEXT);
CREATE TABLE type_relations (head TEXT NOT NULL, relation TEXT NOT NULL, tail TEXT NOT NULL);
CREATE TABLE arrays (name TEXT NOT NULL, dtype TEXT NOT NULL, data BLOB NOT NULL);
"""
INDEXES = """
CREATE UNIQUE INDEX concepts_by_id ON concepts (id);
CREATE INDEX names_by_concept ON names (concept);
CREATE INDEX types_by_concept ON types (concept);
CREATE INDEX definitions_by_concept ON definitions (concept);
CREATE INDEX xrefs_by_curie ON xrefs (curie);
CREATE INDEX xrefs_by_concept ON xrefs (concept);
CREATE INDEX arrays_by_name ON arrays (name);
CREATE INDEX relations_by_head ON relations (head, relation);
CREATE INDEX relations_by_tail ON relations (tail, relation);
CREATE INDEX type_relations_by_head ON type_relations (head, tail);
"""


def open_database(path: Path, fingerprint: str | None) -> sqlite3.Connection | None:
    """Open a whole and current store for reading, from any thread; None where it has to be built.

    A fingerprint of None accepts whatever release the store was built from. A store with the user's own UMLS (``umls``
    in its ``meta``) is accepted whatever the open vocabularies' fingerprint: it cannot be built again from these alone.

    Raises:
        StoreError: a store with the user's own UMLS is damaged, or of another version of this project.
    """
    if not path.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    except sqlite3.Error:
        return None
    try:
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    except sqlite3.Error:
        connection.close()
        return None
    whole = str(pages) == meta.get("pages") and path.stat().st_size == pages * page
    accepted = fingerprint in (None, meta.get("fingerprint")) or "umls" in meta
    if meta.get("schema") == SCHEMA_VERSION and accepted and whole:
        return connection
    connection.close()
    if "umls" in meta:
        raise StoreError(
            f"{path} holds UMLS {meta['umls']} and {'is of another version of Medattest' if whole else 'is damaged'}: "
            "run `medattest knowledge import-umls META` again, "
            "or `medattest knowledge build` to return to the open vocabularies"
        )
    return None


def corrupted(path: Path, error: sqlite3.Error) -> StoreCorrupted:
    """Return the error for a store that opened but cannot be read on."""
    return StoreCorrupted(f"{path} is damaged ({error}): delete it, and it is built again at the next start")


def build_database(
    path: Path,
    fill: Fill,
    fingerprint: str,
    progress: Progress,
    wait: float = BUILD_WAIT_SECONDS,
    anew: bool = False,
) -> None:
    """Build the store beside its place and move it there when it is whole; one process at a time.

    A process that waited for another's build finds that build and makes none of its own, unless it builds ``anew``.

    Raises:
        StoreBusy: another process has been building for longer than ``wait`` seconds.
        StoreError: the data directory cannot be written.
    """
    unfinished = path.with_name(path.name + ".building")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_name(path.name + ".lock"), wait, progress):
            if not anew and (built := open_database(path, fingerprint)) is not None:
                built.close()
                return
            try:
                _build(unfinished, fill, fingerprint, progress)
                os.replace(unfinished, path)
            finally:
                unfinished.unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"the knowledge store cannot be built in {path.parent} ({error}): "
            "make it writable, free some space, or set MEDATTEST_HOME to another directory"
        ) from error


def _build(unfinished: Path, fill: Fill, fingerprint: str, progress: Progress) -> None:
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as connection:
        # Nobody reads this file before it is whole and synced, so a journal would only cost time.
        connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;")
        connection.executescript(TABLES)
        fill(connection, progress)
        connection.commit()
        finish(connection, fingerprint, progress)
    sync(unfinished)


def finish(connection: sqlite3.Connection, fingerprint: str, progress: Progress) -> None:
    """Index filled tables and seal them: what ``open_database`` looks for is written last."""
    progress("indexing the knowledge store", 0.0)
    connection.executescript(INDEXES)
    facts = {"schema": SCHEMA_VERSION, "fingerprint": fingerprint, "pages": ""}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
    connection.commit()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute("UPDATE meta SET value = ? WHERE key = 'pages'", (str(pages),))
    connection.commit()
    progress("indexing the knowledge store", 1.0)


def sync(path: Path) -> None:
    """Have the system write a file out before it takes another's place."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def locked(path: Path, wait: float, progress: Progress) -> Iterator[None]:
    """Hold a file lock that the system drops when its process ends, however it ends."""
    deadline = time.monotonic() + wait
    with path.open("w") as file:
        told = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise StoreBusy(
                        f"another process has been building {path.with_suffix('')} for {wait:.0f} seconds: "
                        "wait for it, or end it, and try again"
                    ) from None
            if not told:
                progress("waiting for another process that builds the knowledge store", 0.0)
                told = True
            time.sleep(0.05)
        yield
