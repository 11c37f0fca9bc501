"""What a collection holds already, by which a run of indexing decides what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.repository.derived import DerivedIndex, whole_document
from tools.repository.store import Store


@dataclass(frozen=True, slots=True)
class Known:
    """What a collection holds of a document."""

    digest: str
    passages: int
    certified: bool
    origin: str


@dataclass(slots=True)
class Inventory:
    """Whole documents of a collection by key, and how far the numbers of all entries go, of whole documents or not."""

    documents: dict[str, Known] = field(default_factory=dict)
    extent: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of_index(cls, index: DerivedIndex) -> Inventory:
        """Read it off a derived index, which must be of the collection as it is."""
        inventory = cls()
        for _, record in index.documents():
            inventory._add(record)
        return inventory

    @classmethod
    def of_store(cls, store: Store, name: str) -> Inventory:
        """Read it off Chroma itself."""
        inventory = cls()
        parts: dict[str, list[Mapping[str, Any]]] = {}
        for page in store.pages(name):
            for record in page.metadata:
                slim = {k: record[k] for k in ("doc", "n", "hash", "passages", "certified", "origin")}
                parts.setdefault(record["doc"], []).append(slim)
        for key, records in parts.items():
            whole = whole_document(records)
            if whole:
                inventory._add(records[whole[0]])
            inventory.extent[key] = 1 + max(int(record["n"]) for record in records)
        return inventory

    def _add(self, record: Mapping[str, Any]) -> None:
        key, count = str(record["doc"]), int(record["passages"])
        self.documents[key] = Known(str(record["hash"]), count, bool(record["certified"]), str(record["origin"]))
        self.extent[key] = count
