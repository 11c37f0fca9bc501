"""Writing concepts into the store: records of several vocabularies merged, their names indexed for the linker."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.linking.english import english
from tools.knowledge.linking.forms import form
from tools.knowledge.linking.index import COLUMNS, IndexBuilder, NamedRow
from tools.knowledge.linking.names import adjective, eponym
from tools.knowledge.linking.spelling import spelling_arrays
from tools.knowledge.progress import Progress
from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.vocabularies.merge import canonical, contested, cui_of, merge
from tools.knowledge.vocabularies.records import Loaded, Loader, Record

T = TypeVar("T")
Resolve = Callable[[Sequence[Record]], int | None]
"""Finds the number of the concept that records mean, where the store already has it."""

CHUNK = 50_000
_READ_FURTHER = frozenset(("preferred", "exact"))
_NAMED_BY = ("HP", "MONDO", "DOID", "OMIM", "ORPHA", "DECIPHER", "MESH", "CHEBI", "MEDLINEPLUS", "NHS")
_TYPED_BY = ("MESH", "DOID", "MONDO", "HP", "OMIM", "ORPHA", "DECIPHER", "CHEBI", "MEDLINEPLUS", "NHS")


def _unknown(_: Sequence[Record]) -> None:
    """Of a store that is still empty."""


class ConceptWriter:
    """Inserts rows in chunks and numbers concepts; names go to the table and to the index in one order."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        """Write to this connection; the index is sorted in temporary files below ``folder``."""
        self.connection = connection
        self._index = IndexBuilder(folder)
        (self.last,) = connection.execute("SELECT COALESCE(MAX(key), 0) FROM concepts").fetchone()

    def insert(self, table: str, rows: Iterable[Sequence[object]], columns: str = "") -> None:
        """Insert rows into a table."""
        for part in _parts(rows):
            holes = ", ".join("?" * len(part[0]))
            self.connection.executemany(f"INSERT INTO {table} {columns} VALUES ({holes})", part)

    def names(self, rows: Iterable[tuple[NamedRow, str]]) -> None:
        """Insert names, each with its vocabulary, and index them."""
        for part in _parts(rows):
            names, vocabularies = zip(*part, strict=True)
            texts, kinds, concepts, *_ = zip(*names, strict=True)
            columns = zip(concepts, texts, kinds, vocabularies, self._index.add(names), strict=True)
            self.connection.executemany("INSERT INTO names VALUES (?, ?, ?, ?, ?)", columns)

    def write_index(self, progress: Progress) -> None:
        """Write the linker's arrays, each in parts that follow each other."""
        progress("sorting names", 0.0)
        for part in self._index.sorted_rows():
            for column, dtype in COLUMNS:
                self._array(column, part[column].astype(dtype))
        progress("sorting names", 0.5)
        self._array("vocabulary", np.union1d(self._index.vocabulary(), english()))
        for name, array in spelling_arrays(self._index.words).items():
            self._array(name, array)
        progress("sorting names", 1.0)

    def close(self) -> None:
        """Forget what was needed to make the index."""
        self._index.close()
        form.cache_clear()

    def _array(self, name: str, array: NDArray[Any]) -> None:
        row = (name, array.dtype.str, array.tobytes())
        self.connection.execute("INSERT INTO arrays VALUES (?, ?, ?)", row)


def open_vocabularies(loaders: Sequence[Loader], folder: Path) -> Callable[[sqlite3.Connection, Progress], None]:
    """Return what fills an empty store with these vocabularies."""

    def fill(connection: sqlite3.Connection, progress: Progress) -> None:
        with _uncollected(), closing(ConceptWriter(connection, folder)) as writer:
            write_vocabularies(writer, [loader.read(progress) for loader in loaders], progress)
            writer.write_index(progress)

    return fill


def write_vocabularies(
    writer: ConceptWriter, loaded: Sequence[Loaded], progress: Progress, resolve: Resolve = _unknown
) -> None:
    """Merge records into concepts and write these with their names, types, definitions, ids and relations."""
    records = [record for part in loaded for record in part.records]
    vocabulary = [part.vocabulary.id for part in loaded for _ in part.records]
    writer.insert("vocabularies", (astuple(part.vocabulary) for part in loaded))
    progress("merging vocabularies", 0.0)
    groups = merge(records)
    keys = _write_concepts(writer, records, groups, resolve)
    progress("merging vocabularies", 0.5)
    placed = [(keys[n], [(records[place], vocabulary[place]) for place in group]) for n, group in enumerate(groups)]
    writer.names(_names(placed))
    progress("merging vocabularies", 0.8)
    writer.insert("definitions", _definitions(placed))
    writer.insert("xrefs", _xrefs(placed))
    key_of = {
        curie: keys[n]
        for n, group in enumerate(groups)
        for place in reversed(group)
        for curie in (*records[place].former, *records[place].curies)
    }
    writer.insert("relations", _relations(loaded, key_of))
    progress("merging vocabularies", 1.0)


Placed = Sequence[tuple[int, Sequence[tuple[Record, str]]]]


def _write_concepts(
    writer: ConceptWriter, records: Sequence[Record], groups: Sequence[Sequence[int]], resolve: Resolve
) -> list[int]:
    """Number the groups; write those that the store does not have."""
    taken: set[str] = set()
    shared = contested(records)
    keys: list[int] = []
    concepts: list[tuple[int, str, str, str | None]] = []
    types: list[tuple[int, str, int]] = []
    for group in groups:
        members = [records[place] for place in group]
        if (key := resolve(members)) is None:
            writer.last += 1
            key = writer.last
            lead = members[0] if len(members) == 1 else min(members, key=_naming)
            cui = cui_of(members, shared, taken)
            if cui:
                taken.add(cui)
            name = lead.names[0][0]
            concepts.append((key, cui or members[0].curies[0], name, lead.inline if lead.inline != name else None))
            types += [(key, tui, 1) for tui in _types(members)]
        keys.append(key)
    writer.insert("concepts", concepts)
    writer.insert("types", types)
    return keys


def _naming(member: Record) -> int:
    """How far behind others a vocabulary's names for concepts come."""
    return _NAMED_BY.index(member.curies[0].partition(":")[0])


def _types(members: Sequence[Record]) -> tuple[str, ...]:
    """Types of the member whose vocabulary tells most about them.

    A MeSH descriptor of a disease or chemical tells most; one in another tree less than the vocabularies of diseases;
    a supplementary record least, as it has only the place of the heading that it is mapped to.
    """

    def rank(member: Record) -> int:
        curie = member.curies[0]
        if not curie.startswith("MESH:"):
            return _TYPED_BY.index(curie.partition(":")[0])
        if curie.startswith("MESH:D"):
            return 0 if SEMANTIC_TYPES[member.types[0]][1] in ("DISO", "CHEM") else len(_TYPED_BY)
        return len(_TYPED_BY) + 1

    typed = [member for member in members if member.types]
    if len(typed) < 2:
        return typed[0].types if typed else ()
    return min(typed, key=rank).types


def _names(placed: Placed) -> Iterator[tuple[NamedRow, str]]:
    for key, members in placed:
        seen: set[str] = set()
        lead = members[0][0] if len(members) == 1 else min((record for record, _ in members), key=_naming)
        for record, vocabulary in members:
            for text, kind in (*record.names, *_further(record)):
                if text not in seen:
                    seen.add(text)
                    shown = "heading" if record is not lead and kind == "preferred" else kind
                    yield NamedRow(text, shown, key, record.linked, record.single_words), vocabulary


def _further(record: Record) -> Iterator[tuple[str, str]]:
    """Readings of a disease's names: its eponym alone, and the adjective of a single word."""
    if not record.types or SEMANTIC_TYPES[record.types[0]][1] != "DISO":
        return
    for text, kind in record.names:
        if kind in _READ_FURTHER and (reading := eponym(text) if " " in text else adjective(text)):
            yield reading, "derived"


def _definitions(placed: Placed) -> Iterator[tuple[int, str, str]]:
    for key, members in placed:
        yield from ((key, record.definition, vocabulary) for record, vocabulary in members if record.definition)


def _xrefs(placed: Placed) -> Iterator[tuple[int, str, str]]:
    for key, members in placed:
        if len(members) == 1 and not members[0][0].same and not members[0][0].former:
            yield from ((key, curie, "identity") for curie in members[0][0].curies)
            continue
        kinds: dict[str, str] = {}
        for record, _ in members:
            kinds.update(dict.fromkeys(record.curies, "identity"))
        for record, _ in members:
            for curie in record.former:
                kinds.setdefault(curie, "alternative")
            for curie in map(canonical, record.same):
                kinds.setdefault(curie, "mapping")
        yield from ((key, curie, kind) for curie, kind in kinds.items())


def _relations(loaded: Sequence[Loaded], key_of: Mapping[str, int]) -> Iterator[tuple[object, ...]]:
    for part in loaded:
        for r in part.relations:
            head, tail = key_of.get(r.head), key_of.get(r.tail)
            if head is not None and tail is not None and head != tail:
                rest = (r.origin, r.frequency, r.onset, r.sex, r.references)
                yield (head, r.relation, tail, part.vocabulary.id, int(r.negative), *rest)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for garbage: millions of records live to the end, and looking through them takes longer."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _parts(rows: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(rows)
    while part := list(islice(remaining, CHUNK)):
        yield part
