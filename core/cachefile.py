"""The SQLite file under a cache: begun, shared with other processes, set aside where it is damaged."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

BUSY_SECONDS = 2.0
"""How long a writer waits for another process's; readers wait for nobody."""

_SCHEMA = 1
_TABLES = f"""
CREATE TABLE IF NOT EXISTS entries(key BLOB PRIMARY KEY, stored REAL NOT NULL, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_age ON entries(stored);
PRAGMA user_version = {_SCHEMA};
"""
_PRUNED_SHARE = 10
_log = logging.getLogger(__name__)
T = TypeVar("T")


class CacheFile:
    """One connection to a cache's file, opened when needed, used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Use this file; nothing happens to it yet."""
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T], tell: Callable[[Exception], None]) -> T | None:
        """Do some work with the file, a second time over a new file where this one is damaged; None where it fails."""
        with self._lock:
            try:
                try:
                    return work(self._open())
                except sqlite3.DatabaseError as error:
                    if not _is_damage(error):
                        raise
                    self._shut()
                    _set_aside(self._path)
                    return work(self._open())
            except (sqlite3.Error, OSError) as error:
                self._shut()
                tell(error)
                return None

    def close(self) -> None:
        """Close the file; the next work opens it again."""
        with self._lock:
            self._shut()

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._opened != _identity(self._path):
            self._shut()  # somebody has moved or removed the file
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not self._path.exists():
                self._path.touch(mode=0o600)
            self._connection = _connected(self._path)
            self._opened = _identity(self._path)
        return self._connection

    def _shut(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        if not (version := _version(connection)):
            with _locked(path):
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(_TABLES)
        elif version != _SCHEMA:
            raise sqlite3.DatabaseError(f"its schema is {version}, not {_SCHEMA}")
        connection.execute("PRAGMA synchronous = NORMAL")  # a crash may cost the last replies, never the file
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _locked(path: Path) -> FileLock:
    """What keeps processes from beginning or setting aside one file at the same time."""
    return FileLock(f"{path}.lock", timeout=BUSY_SECONDS)


def find(connection: sqlite3.Connection, key: bytes) -> tuple[float, str] | None:
    """Return when a value was stored, in seconds since 1970, and its text."""
    row = connection.execute("SELECT stored, value FROM entries WHERE key = ?", (key,)).fetchone()
    return None if row is None else (float(row[0]), str(row[1]))


def keep(connection: sqlite3.Connection, row: tuple[bytes, float, str], max_bytes: int) -> None:
    """Store (key, seconds since 1970, text), and drop the oldest entries while the file holds too much."""
    connection.execute("INSERT OR REPLACE INTO entries(key, stored, value) VALUES (?, ?, ?)", row)
    while _used(connection) > max_bytes:
        (count,) = connection.execute("SELECT COUNT(*) FROM entries").fetchone()
        if not count:
            return
        oldest = "SELECT rowid FROM entries ORDER BY stored LIMIT ?"
        connection.execute(f"DELETE FROM entries WHERE rowid IN ({oldest})", (max(1, count // _PRUNED_SHARE),))


def _used(connection: sqlite3.Connection) -> int:
    """Bytes of the pages in use; pages that a deletion freed are used again before the file grows."""
    names = ("page_count", "freelist_count", "page_size")
    pages, free, size = (int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
    return (pages - free) * size


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is bad, or another program's; a lock, a full disk or a missing permission is not."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_NOTADB) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _set_aside(path: Path) -> None:
    """Move a damaged file out of the way, unless another process has done so already."""
    with _locked(path):
        if _is_sound(path):
            return
        kept = path.with_name(f"{path.name}.damaged")
        os.replace(path, kept)
        for suffix in ("-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        _log.warning("the cache %s was damaged: it is set aside as %s and a new one is begun", path, kept.name)


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            if not (version := _version(connection)):
                return path.stat().st_size == 0
            connection.execute("SELECT key, stored, value FROM entries LIMIT 1").fetchone()
            return version == _SCHEMA and connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    except sqlite3.DatabaseError:
        return False
