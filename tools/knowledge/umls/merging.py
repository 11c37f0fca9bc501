"""Open vocabularies into a store of UMLS concepts: which concept their records are, and nothing said twice."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple

from tools.knowledge.concepts import write_vocabularies
from tools.knowledge.progress import Progress
from tools.knowledge.umls.rows import CUIS
from tools.knowledge.umls.sources import vocabularies
from tools.knowledge.umls.work import Work
from tools.knowledge.vocabularies.merge import canonical, contested, cui_of, prefix
from tools.knowledge.vocabularies.records import Loaded, Record

_CUI = re.compile(r"C\d{7}")
"""What records name may be of MedGen instead: CN and six digits."""
_FRESH = "CREATE TEMP TABLE fresh AS SELECT rowid AS place, {columns} FROM {table} WHERE rowid > ? AND {first} < ?"


def merge_vocabularies(work: Work, progress: Progress) -> None:
    """Merge the open vocabularies into the store and write the index of all names, in the transaction of the caller.

    Concepts that the UMLS does not have are numbered from 10 million on, above all CUIs.
    """
    connection, writer = work.connection, work.writer
    loaded = [loader.read(progress) for loader in work.loaders]
    resolver = Resolver(connection, loaded)
    last = {table: _last(connection, table) for table in ("names", "xrefs", "relations")}
    writer.last = CUIS
    write_vocabularies(writer, loaded, progress, resolver)
    connection.executemany("DELETE FROM xrefs WHERE rowid = ?", [(place,) for place in resolver.moved])
    connection.execute(
        "UPDATE names SET kind = 'heading' WHERE rowid > ? AND kind = 'preferred' AND concept < ?",
        (last["names"], CUIS),
    )
    _drop_repeated(connection, "names", ("concept", "lower(name)"), last["names"])
    _drop_repeated(connection, "xrefs", ("concept", "curie", "kind"), last["xrefs"])
    _drop_mapped(connection, last["xrefs"])
    said = ("head", "relation", "tail", "vocabulary", "negative", "COALESCE(origin, '')")
    _drop_repeated(connection, "relations", said, last["relations"])
    _own_ids(connection, last["xrefs"])
    rows = [astuple(found) for found in vocabularies(work.release, work.used_vocabularies())]
    connection.executemany("INSERT OR IGNORE INTO vocabularies VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    writer.write_index(progress)


class Resolver:
    """Finds the UMLS concept of records by their own ids among its codes, or else by the CUI that they name.

    A concept takes in no second record of one vocabulary: what that keeps apart stays apart, with its ids. ``moved``
    are rows of ``xrefs`` that said otherwise.
    """

    def __init__(self, connection: sqlite3.Connection, loaded: Sequence[Loaded]) -> None:
        """Look up all ids and CUIs of the records at once."""
        records = [record for part in loaded for record in part.records]
        self._of: dict[str, list[tuple[int, int]]] = defaultdict(list)
        connection.execute("CREATE TEMP TABLE wanted (curie TEXT PRIMARY KEY) WITHOUT ROWID")
        wanted = ((canonical(curie),) for record in records for curie in record.curies)
        connection.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", wanted)
        sql = "SELECT x.rowid, x.curie, concept FROM xrefs x CROSS JOIN wanted USING (curie) WHERE kind = 'identity'"
        for place, curie, concept in connection.execute(sql):
            self._of[curie].append((concept, place))
        connection.execute("DROP TABLE wanted")
        self._connection = connection
        self._owners: dict[int, set[str]] = defaultdict(set)
        for curie, found in self._of.items():
            for concept, _ in found:
                self._owners[concept].add(prefix(curie))
        self._spaces: dict[int, set[str]] = defaultdict(set)
        self._contested = contested(records)
        self.moved: list[int] = []

    def __call__(self, members: Sequence[Record]) -> int | None:
        """Return the number of the concept; None where the UMLS has none for these records."""
        curies = [canonical(curie) for member in members for curie in member.curies]
        spaces = {prefix(curie) for curie in curies}
        places: list[int] = []
        for concept, place in self._codes(curies):
            if self._spaces[concept].isdisjoint(spaces):
                self._spaces[concept] |= spaces
                return concept
            places.append(place)
        self.moved += places
        cui = cui_of(members, self._contested, set())
        concept = int(cui[1:]) if cui and _CUI.fullmatch(cui) else -1
        claimed = self._owners.get(concept, set()) | self._spaces.get(concept, set())
        if places or not self._has(concept) or not claimed.isdisjoint(spaces):
            return None
        self._spaces[concept] |= spaces
        return concept

    def _codes(self, curies: Sequence[str]) -> Iterator[tuple[int, int]]:
        return (self._of[curie][0] for curie in curies if len(self._of.get(curie, ())) == 1)

    def _has(self, concept: int) -> bool:
        return self._connection.execute("SELECT 1 FROM concepts WHERE key = ?", (concept,)).fetchone() is not None


def _last(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute(f"SELECT COALESCE(MAX(rowid), 0) FROM {table}").fetchone()
    return int(last)


def _drop_repeated(connection: sqlite3.Connection, table: str, columns: Sequence[str], last: int) -> None:
    """Drop rows behind ``last`` that are the same in these columns as one before it: one pass over the table."""
    _fresh(connection, table, columns, last)
    same = " AND ".join(f"f.c{n} = {column}" for n, column in enumerate(columns))
    repeated = f"SELECT place FROM {table} AS old CROSS JOIN fresh f ON {same} WHERE old.rowid <= ?"
    connection.execute(f"DELETE FROM {table} WHERE rowid IN ({repeated})", (last,))
    connection.execute("DROP TABLE fresh")


def _drop_mapped(connection: sqlite3.Connection, last: int) -> None:
    """Drop the weaker of two rows of ``xrefs`` that give one concept the same id as its own and as a mapping."""
    _fresh(connection, "xrefs", ("concept", "curie", "kind"), last)
    both = (
        "SELECT CASE kind WHEN 'identity' THEN place ELSE old.rowid END "
        "FROM xrefs AS old CROSS JOIN fresh f ON f.c0 = concept AND f.c1 = curie AND f.c2 != kind WHERE old.rowid <= ?"
    )
    connection.execute(f"DELETE FROM xrefs WHERE rowid IN ({both})", (last,))
    connection.execute("DROP TABLE fresh")


def _fresh(connection: sqlite3.Connection, table: str, columns: Sequence[str], last: int) -> None:
    """A temporary table of the rows behind ``last`` about UMLS concepts, to be looked up by the columns."""
    named = ", ".join(f"{column} AS c{n}" for n, column in enumerate(columns))
    connection.execute(_FRESH.format(columns=named, table=table, first=columns[0]), (last, CUIS))
    connection.execute(
        f"CREATE INDEX temp.fresh_by_columns ON fresh ({', '.join(f'c{n}' for n in range(len(columns)))})"
    )


def _own_ids(connection: sqlite3.Connection, last: int) -> None:
    """Give open concepts their first own id where the CUI that they name is that of another concept."""
    taken = (
        "SELECT new.key FROM concepts AS new JOIN concepts AS old ON old.key = CAST(SUBSTR(new.id, 2) AS INTEGER) "
        f"WHERE new.key > {CUIS} AND new.id GLOB 'C[0-9][0-9][0-9][0-9][0-9][0-9][0-9]' AND old.id = new.id"
    )
    keys = {key for (key,) in connection.execute(taken)}
    own = "SELECT concept, curie, MIN(rowid) FROM xrefs WHERE rowid > ? AND kind = 'identity' GROUP BY concept"
    rows = [(curie, concept) for concept, curie, _ in connection.execute(own, (last,)) if concept in keys]
    connection.executemany("UPDATE concepts SET id = ? WHERE key = ?", rows)
