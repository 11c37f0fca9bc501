"""Replies of outside services, kept on disk: JSON in one SQLite file that processes and threads share.

A cache never costs an answer. Where the file is damaged it is set aside and a new one begun; where the disk is full or
cannot be written the answer goes through unkept, and the log says so once.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, TypeAlias, cast

from core.cachefile import CacheFile, find, keep
from core.errors import SourceError

JSON: TypeAlias = bool | int | float | str | list["JSON"] | dict[str, "JSON"] | None
Mode = Literal["normal", "refresh", "offline"]
"""``normal`` asks what is not stored or too old, ``refresh`` asks everything anew, ``offline`` asks nothing."""

MAX_BYTES = 256 * 2**20
_log = logging.getLogger(__name__)


class DiskCache:
    """Values by key, at most ``max_age_seconds`` old and ``max_bytes`` in all; the oldest give way.

    The file is opened at the first use and made readable by its owner alone: what was asked may be about a patient.
    Calls block for well below 10 ms, but they block: from a coroutine, use ``cached``.
    """

    def __init__(self, path: Path, max_age_seconds: float, *, max_bytes: int = MAX_BYTES) -> None:
        """Keep values in the file ``path``, whose folder is made where it is missing."""
        self.path = path
        self.max_age_seconds = max_age_seconds
        self.max_bytes = max_bytes
        self._reader = CacheFile(path)
        self._writer = CacheFile(path)  # so that nobody who reads waits for one who writes
        self._told: set[str] = set()

    def get(self, key: str, *, any_age: bool = False) -> JSON | None:
        """Return what is stored under a key; None where nothing is, or where it is too old and that matters."""
        found = self._reader.run(lambda connection: find(connection, _hashed(key)), self._tell_read)
        if found is None:
            return None
        stored, text = found
        if not any_age and time.time() - stored > self.max_age_seconds:
            return None
        try:
            return cast(JSON, json.loads(text))
        except (ValueError, RecursionError):
            return None

    def put(self, key: str, value: JSON) -> None:
        """Store a value; None is none, so wrap it. Neither key nor value may hold a secret: the value is plain text.

        A value of more than a quarter of the cache is not kept, since it would drive out everything else.
        """
        text = json.dumps(value, separators=(",", ":"))  # ASCII, so that half a character can be stored too
        size = len(text)
        if size > self.max_bytes // 4:
            self._tell("size", f"{self.path} keeps no reply of {size:,} bytes: it may hold {self.max_bytes:,} in all")
            return
        row = (_hashed(key), time.time(), text)
        self._writer.run(lambda connection: keep(connection, row, self.max_bytes), self._tell_write)

    def close(self) -> None:
        """Close the file; another call opens it again."""
        self._reader.close()
        self._writer.close()

    def _tell_read(self, error: Exception) -> None:
        self._tell("read", f"the cache {self.path} cannot be read ({error}): everything is asked anew")

    def _tell_write(self, error: Exception) -> None:
        self._tell("write", f"the cache {self.path} cannot be written ({error}): answers are used but not kept")

    def _tell(self, about: str, message: str) -> None:
        if about not in self._told:
            self._told.add(about)
            _log.warning(message)


async def cached(cache: DiskCache, mode: Mode, key: str, ask: Callable[[], Awaitable[JSON]], service: str) -> JSON:
    """Return what is stored under a key, otherwise ask and store it, as the mode says.

    Offline takes what is stored however old it is: nothing newer can be had. What ``ask`` raises is not stored.

    Args:
        cache: where answers are kept.
        mode: whether to read, to ask, or both.
        key: what is asked, without any secret.
        ask: asks the service, and returns something other than None.
        service: what the service is called in the error.

    Raises:
        SourceError: offline, and nothing is stored.
    """
    if mode != "refresh":
        found = await asyncio.to_thread(cache.get, key, any_age=mode == "offline")
        if found is not None:
            return found
    if mode == "offline":
        raise SourceError(f"offline: {service} was not asked, and no earlier answer of it is stored")
    value = await ask()
    await asyncio.to_thread(cache.put, key, value)
    return value


def _hashed(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", errors="surrogatepass")).digest()
