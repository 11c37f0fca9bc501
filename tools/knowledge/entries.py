"""Concepts of the store by number, id or CURIE, read from SQLite and remembered."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.schema import Concept
from tools.knowledge.database import corrupted
from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.values import Entry

REMEMBERED = 50_000
"""Entries that are kept in memory at most."""

_CUI = re.compile(r"C\d{7}")
_CHOSEN = "(SELECT value FROM json_each(?))"


class Entries:
    """Reading access to a store's rows, from any thread; a damaged store raises StoreCorrupted."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Take over an open connection."""
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        self._known: dict[int, Entry] = {}

    def close(self) -> None:
        """Close the file; nothing can be read after this."""
        with self._lock:
            self._connection.close()

    def rows(self, sql: str, *values: int | str) -> list[Any]:
        """Return all rows of a query."""
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise corrupted(self.path, error) from error

    def key(self, concept: Concept | str) -> int:
        """Return the number of a concept, given by itself, its id or a CURIE; InputError where there is none."""
        identifier = concept if isinstance(concept, str) else concept.id
        key = self.find(identifier)
        if key is None:
            raise InputError(
                f"no concept {identifier!r} in the knowledge store: give a CUI or a CURIE such as HP:0001166"
            )
        return key

    def find(self, identifier: str) -> int | None:
        """Return the number of an id or CURIE (of a mapped code only where it has one concept); None if unknown."""
        bare = identifier.removeprefix("UMLS:")
        if rows := self.rows("SELECT key FROM concepts WHERE id = ?", bare if _CUI.fullmatch(bare) else identifier):
            return int(rows[0][0])
        if _CUI.fullmatch(identifier):
            identifier = f"UMLS:{identifier}"
        sql = "SELECT DISTINCT concept, kind != 'mapping' AS own FROM xrefs WHERE curie = ? ORDER BY own DESC"
        found = self.rows(sql, identifier)
        own = [key for key, is_own in found if is_own] or [key for key, _ in found]
        return int(own[0]) if len(set(own)) == 1 else None

    def entry(self, key: int) -> Entry:
        """Return the entry of a concept's number."""
        return self._known.get(key) or self.fetch([key])[key]

    def concepts(self, keys: Iterable[int]) -> tuple[Concept, ...]:
        """Return the concepts of these numbers, in their order."""
        wanted = list(keys)
        found = self.fetch(wanted)
        return tuple(found[key].concept for key in wanted)

    def fetch(self, keys: Iterable[int]) -> dict[int, Entry]:
        """Return the entries of concept numbers; those that are not in memory are read all at once."""
        if len(self._known) > REMEMBERED:
            self._known = {}
        known = self._known
        found = {key: known.get(key) for key in keys}
        new = self._read([key for key, entry in found.items() if entry is None])
        known.update(new)
        return {key: entry or new[key] for key, entry in found.items()}

    def _read(self, keys: list[int]) -> dict[int, Entry]:
        if not keys:
            return {}
        chosen = json.dumps(keys)
        own: dict[int, list[str]] = defaultdict(list)
        others: dict[int, list[str]] = defaultdict(list)
        for key, curie, kind in self.rows(
            f"SELECT concept, curie, kind FROM xrefs WHERE concept IN {_CHOSEN} ORDER BY rowid", chosen
        ):
            (own if kind == "identity" else others)[key].append(curie)
        types: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for key, tui, derived in self.rows(
            f"SELECT concept, tui, derived FROM types WHERE concept IN {_CHOSEN} ORDER BY rowid", chosen
        ):
            types[key].append((tui, derived))
        found: dict[int, Entry] = {}
        for key, identifier, name, inline in self.rows(
            f"SELECT key, id, name, inline FROM concepts WHERE key IN {_CHOSEN}", chosen
        ):
            typed = [SEMANTIC_TYPES[tui] for tui, _ in types[key] if tui in SEMANTIC_TYPES]
            concept = Concept(
                id=identifier,
                name=name,
                types=tuple(dict.fromkeys(type_ for type_, _ in typed)),
                derived=any(derived for _, derived in types[key]),
                group=typed[0][1] if typed else None,
                xrefs=(*own[key], *others[key]),
            )
            found[key] = Entry(concept, inline or name, tuple(own[key]))
        return found
