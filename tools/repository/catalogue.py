"""Which collections there are and at which revision, known without opening Chroma as long as nothing was written."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import EmbedderMismatch
from tools.repository.passages import Chunking
from tools.repository.report import CollectionInfo
from tools.repository.store import Store

Metadata = Mapping[str, Any]


class Catalogue:
    """Metadata of all collections; ``catalogue.json`` holds them with the stamp of the store they were read from."""

    def __init__(self, store: Store, folder: Path) -> None:
        """Keep the file in this folder."""
        self._store = store
        self._path = folder / "catalogue.json"
        self._stamp: list[int] | None = None
        self._known: dict[str, Metadata] = {}

    def collections(self) -> dict[str, Metadata]:
        """Metadata of every collection, by name, as they are now."""
        if not self._store.exists:
            return {}
        stamp = self._store.stamp()
        if stamp is None or not (stamp == self._stamp or self._read(stamp)):
            self._refresh()
        return self._known

    def _read(self, stamp: list[int]) -> bool:
        with suppress(OSError, ValueError, KeyError, TypeError):
            held = json.loads(self._path.read_text(encoding="utf-8"))
            if held["stamp"] == stamp:
                self._stamp, self._known = stamp, dict(held["collections"])
                return True
        return False

    def _refresh(self) -> None:
        """Ask Chroma; what it says counts for a stamp only if nothing was written meanwhile."""
        self._store.open()
        before = self._store.stamp()
        self._known = self._store.metadata()
        self._stamp = before if before == self._store.stamp() else None
        if self._stamp is not None:
            self._write()

    def _write(self) -> None:
        # Only the next start is slower without this file, so a directory that cannot be written is no error here.
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            draft.write_text(json.dumps({"stamp": self._stamp, "collections": self._known}), encoding="utf-8")
            draft.replace(self._path)


def collection_info(name: str, metadata: Metadata) -> CollectionInfo:
    """What a collection's metadata say of it."""
    return CollectionInfo(
        name=name,
        documents=int(metadata["documents"]),
        passages=int(metadata["passages"]),
        certified_documents=int(metadata["certified"]),
        embedder=str(metadata["embedder"]),
        chunk_tokens=int(metadata["chunk_tokens"]),
        chunk_overlap=int(metadata["chunk_overlap"]),
        revision=str(metadata["revision"]),
        updated=str(metadata["updated"]),
        finished=not metadata["writing"],
    )


def check_mismatch(name: str, metadata: Mapping[str, Any], embedder: str, chunking: Chunking | None = None) -> None:
    """Raise EmbedderMismatch where a collection was made with another embedder or, if one is given, chunking."""
    if metadata["embedder"] != embedder:
        raise EmbedderMismatch(
            f"{name} was made with the embedder {metadata['embedder']}, this is {embedder}: set MEDATTEST_EMBEDDER to "
            f"it, or delete the collection (medattest collections delete {name}) and index again"
        )
    made = Chunking(int(metadata["chunk_tokens"]), int(metadata["chunk_overlap"]))
    if chunking not in (None, made):
        raise EmbedderMismatch(
            f"{name} was cut into passages of {made.tokens} tokens with {made.overlap} shared: set "
            f"MEDATTEST_CHUNK_TOKENS={made.tokens} and MEDATTEST_CHUNK_OVERLAP={made.overlap}, or delete the "
            f"collection (medattest collections delete {name}) and index again"
        )


def new_metadata(embedder: str, chunking: Chunking) -> dict[str, str | int]:
    """Metadata of a collection that holds nothing yet."""
    return {
        "embedder": embedder,
        "chunk_tokens": chunking.tokens,
        "chunk_overlap": chunking.overlap,
        "revision": uuid.uuid4().hex,
        "writing": "",
        "documents": 0,
        "passages": 0,
        "certified": 0,
        "updated": datetime.now(UTC).isoformat(timespec="seconds"),
    }
