"""What the stages of an import share, and how a stage reads its table: a block, a transaction, a step of progress."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.umls.estimate import Clock
from tools.knowledge.umls.release import Release
from tools.knowledge.umls.rows import CUIS, Layout, Numbers, Parsed, parse
from tools.knowledge.umls.sources import NO_SOURCES
from tools.knowledge.umls.unfinished import State, Words, save
from tools.knowledge.umls.writer import GROUPS, ImportWriter
from tools.knowledge.vocabularies.records import Loader

BUCKET_BITS = 13
"""Staged rows are put together by their concepts' numbers, 8,192 of these a bucket: what is worked on at once."""
BATCH_ROWS = 50_000
SOURCE = "source"

Flags = NDArray[np.bool_]


@dataclass
class Work:
    """An import under way. A concept's number is that of its CUI; ``folder`` is for temporary files."""

    release: Release
    chosen: frozenset[str] | None
    loaders: Sequence[Loader]
    connection: sqlite3.Connection
    state: State
    clock: Clock
    folder: Path

    @cached_property
    def words(self) -> Words:
        """Numbers of labels and vocabularies in staged rows."""
        return Words(self.connection)

    @cached_property
    def known(self) -> Flags:
        """Which CUI numbers have a name that was kept (10 million flags)."""
        flags = np.zeros(CUIS, bool)
        for (cuis,) in self.connection.execute("SELECT cuis FROM staged_names"):
            flags[np.frombuffer(cuis, np.uint32)] = True
        return flags

    @cached_property
    def groups(self) -> NDArray[np.uint8]:
        """Semantic group of each CUI number, as its place in ``GROUPS``: that of its first type."""
        places = {tui: GROUPS.index(group) for tui, (_, group) in SEMANTIC_TYPES.items()}
        found = np.zeros(CUIS, np.uint8)
        for concept, tui in self.connection.execute("SELECT concept, tui FROM types ORDER BY rowid DESC"):
            found[concept] = places.get(tui, found[concept])
        return found

    @cached_property
    def writer(self) -> ImportWriter:
        """Writes names and their index, which begins with the names that the store has."""
        return ImportWriter(self.connection, self.folder, self.groups)

    def takes(self, vocabulary: str) -> bool:
        """Whether a vocabulary is chosen."""
        return vocabulary not in NO_SOURCES and (self.chosen is None or vocabulary in self.chosen)

    def read(self, layout: Layout, write: Callable[[Parsed], None]) -> None:
        """Give the rest of a table to ``write``, block by block, each with its offset in one transaction."""
        stream = self.release.tables.get(layout.name)
        if stream is None:
            return
        size = max(1, stream.size)
        for block in stream.blocks(self.state.offset):
            parsed = parse(layout, block.data, self.state.line)
            write(parsed)
            self.state.note(stream.name, parsed.bad)
            self.state.offset, self.state.line = block.end, self.state.line + parsed.lines
            self.commit()
            self.clock.tell(block.read / size)

    def close(self) -> None:
        """Remove temporary files."""
        if "writer" in self.__dict__:
            self.writer.close()

    def commit(self) -> None:
        """End the transaction of a batch, with how far the import is."""
        save(self.connection, self.state)
        self.connection.commit()

    def insert(self, sql: str, rows: Iterator[Sequence[object]] | Sequence[Sequence[object]]) -> None:
        """Insert many rows."""
        self.connection.executemany(sql, rows)

    def used_vocabularies(self) -> set[str]:
        """Vocabularies whose names were kept."""
        return {word.split("|")[1] for word in self.words.by_number().values() if word.startswith(f"{SOURCE}|")}


def batches(connection: sqlite3.Connection, table: str, column: str, rows: int = BATCH_ROWS) -> list[tuple[int, int]]:
    """Put neighbouring buckets of a staged table together: first and last of each batch of about so many rows.

    ``column`` holds four bytes a row.
    """
    counts = connection.execute(
        f"SELECT bucket, SUM(LENGTH({column})) / 4 FROM {table} GROUP BY bucket ORDER BY bucket"
    )
    found: list[tuple[int, int]] = []
    held = rows
    for bucket, count in counts:
        if held + count > rows:
            found.append((bucket, bucket))
            held = 0
        found[-1] = (found[-1][0], bucket)
        held += count
    return found


def by_bucket(concepts: Numbers) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield buckets with the places of their concepts, in the given order."""
    buckets = concepts >> BUCKET_BITS
    order = np.argsort(buckets, kind="stable")
    found, starts = np.unique(buckets[order], return_index=True)
    yield from zip(found.tolist(), np.split(order, starts[1:]), strict=True) if len(found) else ()
