"""The ways of asking a model for JSON, from the strictest down, and the memory of which one its server can."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from filelock import FileLock
from pydantic import TypeAdapter

Rung = Literal["json_schema", "function_calling", "json_mode", "text"]
"""A schema that the server enforces; a tool's arguments; any JSON; JSON asked for in words alone."""
RUNGS: tuple[Rung, ...] = get_args(Rung)
FILE = "model-rungs.json"
PATIENCE = 3
"""Replies in a row that fail, or keep the schema only when repaired, after which another rung is tried."""

TRUST_SECONDS = 3600.0
"""How long a rung below the top one is kept to: what a model failed at for a while it may be able to."""

_WAIT_SECONDS = 2.0
_log = logging.getLogger(__name__)


class _Known(NamedTuple):
    rung: Rung
    since: float

    @property
    def holds(self) -> bool:
        """Whether it can still be trusted, by this machine's clock."""
        return self.rung == RUNGS[0] or 0 <= time.time() - self.since < TRUST_SECONDS


_MEMORY = TypeAdapter(dict[str, _Known])


class Ladder:
    """Which rung one model at one address stands on; safe to use from several threads, remembered across processes."""

    def __init__(self, folder: Path, key: str) -> None:
        """Recall what is remembered of the model called ``key`` in the data directory."""
        self._path, self._key = folder / FILE, key
        self._lock = threading.Lock()
        self._known = _recall(self._path).get(key)
        self._floor = 0
        self._misses = 0

    def to_try(self) -> Iterator[Rung]:
        """The known rung alone; where none is known, or it is forgotten while being tried, each from the top down."""
        with self._lock:
            if self._known and not self._known.holds:
                self._forget(0)
            known = self._known
        if known is not None:
            yield known.rung
            if self._known == known:
                return
        yield from (rung for rung in RUNGS[self._floor :] if known is None or rung != known.rung)

    def worked(self, rung: Rung, *, repaired: bool) -> None:
        """A reply kept the schema. A rung that needs a repair time and again gives way to the one below."""
        with self._lock:
            self._misses = self._misses + 1 if repaired else 0
            if self._misses >= PATIENCE and rung != RUNGS[-1]:
                self._forget(RUNGS.index(rung) + 1)
            elif not self._stands_on(rung):
                self._known = _Known(rung, time.time())
                _remember(self._path, self._key, self._known)

    def failed(self, rung: Rung) -> None:
        """A reply did not keep the schema, even repaired: a known rung that does so time and again is forgotten."""
        with self._lock:
            if self._stands_on(rung):
                self._misses += 1
                if self._misses >= PATIENCE:
                    self._forget(0)

    def refused(self, rung: Rung) -> None:
        """The server cannot be asked in this way: not again in this process, unless it refuses every way."""
        with self._lock:
            if self._stands_on(rung) or rung == RUNGS[-1]:
                self._forget(0)
            elif self._known is None:
                self._floor = max(self._floor, RUNGS.index(rung) + 1)

    def _stands_on(self, rung: Rung) -> bool:
        return self._known is not None and self._known.rung == rung

    def _forget(self, floor: int) -> None:
        self._known, self._floor, self._misses = None, floor, 0


def _recall(path: Path) -> dict[str, _Known]:
    """What is remembered, by model; nothing where the file is missing or is not what was written."""
    try:
        return _MEMORY.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning("%s cannot be read (%s): how models reply is found out anew", path, error)
        return {}


def _remember(path: Path, key: str, known: _Known) -> None:
    """Write one model's rung beside the others', whole or not at all; where that fails, say so and go on."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock", timeout=_WAIT_SECONDS):
            kept = {**_recall(path), key: known}
            with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
                json.dump(kept, file, indent=1, sort_keys=True)
            os.replace(file.name, path)
    except OSError as error:
        _log.warning("%s cannot be written (%s): how the model replies is found out again next time", path, error)
