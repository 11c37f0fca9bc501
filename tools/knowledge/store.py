"""The knowledge store: concepts, their names, definitions and relations, read from SQLite."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import DataMissing
from core.schema import Concept, Triple
from tools.knowledge.concepts import open_vocabularies
from tools.knowledge.database import FILE_NAME, build_database, corrupted, open_database
from tools.knowledge.entries import Entries
from tools.knowledge.frequency import read_frequency
from tools.knowledge.linking.matching import NameIndex, named
from tools.knowledge.linking.reading import read
from tools.knowledge.linking.spelling import Spelling
from tools.knowledge.progress import Progress, silent
from tools.knowledge.statements import DOWN, UP, Statements
from tools.knowledge.values import (
    COURSE_OF,
    INHERITANCE_OF,
    IS_A,
    NARROWER,
    PHENOTYPE_OF,
    Annotation,
    Entry,
    Name,
    PairFacts,
    Vocabulary,
)
from tools.knowledge.vocabularies.default import default_loaders
from tools.knowledge.vocabularies.merge import RULES
from tools.knowledge.vocabularies.records import Loader

MOST_WORDS = 20
"""Of a term that is looked for inside of names."""


class KnowledgeStore:
    """Reading access to a built store; safe to use from any thread.

    Wherever a concept is asked for, a ``Concept``, its id (a CUI) or any CURIE of it will do; InputError for one that
    the store does not have. A store that turns out to be damaged raises StoreCorrupted.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Take over an open connection; ``KnowledgeStore.open`` is the usual way in."""
        self.path = path
        self._entries = Entries(path, connection)
        self._statements = Statements(self._entries)
        self._key, self._rows = self._entries.key, self._entries.rows

    @classmethod
    def open(
        cls, home: Path, progress: Progress | None = None, loaders: Sequence[Loader] | None = None
    ) -> KnowledgeStore:
        """Open the store of a data directory; build it first where it is missing, outdated or damaged (seconds).

        Raises:
            DataMissing: there is no store, and the data wheel to build it from is not installed.
            StoreError: the data directory cannot be written; StoreBusy where another process builds for too long.
        """
        chosen = default_loaders() if loaders is None else loaders
        path = home / FILE_NAME
        try:
            wanted = _fingerprint(chosen)
        except DataMissing:
            # The store is derived data: a whole one serves without the wheel that it came from.
            connection = open_database(path, None)
            if connection is None:
                raise
            return cls(path, connection)
        connection = open_database(path, wanted)
        if connection is None:
            build_database(path, open_vocabularies(chosen, home), wanted, progress or silent)
            connection = open_database(path, wanted)
        if connection is None:
            raise corrupted(path, sqlite3.DatabaseError("it cannot be opened after it was built"))
        return cls(path, connection)

    @classmethod
    def build(
        cls, home: Path, progress: Progress | None = None, loaders: Sequence[Loader] | None = None
    ) -> KnowledgeStore:
        """Build the store of the open vocabularies, also where there is one, and open it; errors as in ``open``."""
        chosen = default_loaders() if loaders is None else loaders
        fill = open_vocabularies(chosen, home)
        build_database(home / FILE_NAME, fill, _fingerprint(chosen), progress or silent, anew=True)
        return cls.open(home, progress, chosen)

    def close(self) -> None:
        """Close the file; the store cannot be used after this."""
        self._entries.close()

    def vocabularies(self) -> tuple[Vocabulary, ...]:
        """Return what is in the store, with version, licence and the acknowledgement that it asks for."""
        return tuple(Vocabulary(*row) for row in self._rows("SELECT * FROM vocabularies ORDER BY id"))

    def concept(self, identifier: str) -> Concept | None:
        """Return the concept of an id or CURIE (of a mapped code only where it has one concept); None if unknown."""
        key = self._entries.find(identifier)
        return None if key is None else self._entries.entry(key).concept

    def entry(self, concept: Concept | str) -> Entry:
        """Return a concept with its form inside a sentence and its own CURIEs."""
        return self._entries.entry(self._key(concept))

    def lookup(self, term: str) -> tuple[Concept, ...]:
        """Return the concepts of an id, a CURIE or a name (of any kind, in any order); those written alike first."""
        if (known := self.concept(term.strip())) is not None:
            return (known,)
        return tuple(self._concepts([(key,) for key in named(read(term), self.index)]))

    def suggest(self, term: str, limit: int) -> tuple[Concept, ...]:
        """Return concepts whose names have every word of the term in them, or else the words it is a misspelling of.

        Those of short names come first.
        """
        words = re.findall(r"[^\W_]+", term.lower())[:MOST_WORDS]
        where = " AND ".join("name LIKE '%' || ? || '%'" for _ in words) or "FALSE"
        sql = f"SELECT concept FROM names WHERE {where} GROUP BY concept ORDER BY MIN(LENGTH(name)), concept LIMIT ?"
        right = Spelling(self.array).corrections(words)
        found = self._rows(sql, *words, limit) or self._rows(sql, *(right.get(word, word) for word in words), limit)
        return self._concepts(found)

    @cached_property
    def index(self) -> NameIndex:
        """All names, as the linker compares them."""
        return NameIndex(self.array)

    def names(self, concept: Concept | str) -> tuple[Name, ...]:
        """Return all names of a concept, the preferred one first."""
        sql = "SELECT name, kind, vocabulary, link FROM names WHERE concept = ? ORDER BY kind != 'preferred', rowid"
        return tuple(Name(n, k, v, bool(link)) for n, k, v, link in self._rows(sql, self._key(concept)))

    def definition(self, concept: Concept | str) -> str | None:
        """Return the definition of a concept, where its vocabulary has one."""
        rows = self._rows("SELECT text FROM definitions WHERE concept = ? ORDER BY rowid", self._key(concept))
        return rows[0][0] if rows else None

    def parents(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return the concepts one step broader: those of which it is a kind, then those above it in MeSH."""
        sql = (
            "SELECT tail FROM relations WHERE head = ? AND relation IN (?, ?) AND NOT negative "
            "GROUP BY tail ORDER BY MIN(relation != ?), MIN(rowid)"
        )
        return self._concepts(self._rows(sql, self._key(concept), IS_A, NARROWER, IS_A))

    def children(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return the concepts one step narrower."""
        sql = (
            "SELECT head FROM relations WHERE tail = ? AND relation IN (?, ?) AND NOT negative "
            "GROUP BY head ORDER BY MIN(relation != ?), MIN(rowid)"
        )
        return self._concepts(self._rows(sql, self._key(concept), IS_A, NARROWER, IS_A))

    def ancestors(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return all broader concepts, without the concept itself, nearest first."""
        key = self._key(concept)
        return self._concepts(self._rows(f"{UP} SELECT key FROM walk WHERE key != ?", key, IS_A, key))

    def features(self, disease: Concept | str) -> tuple[Annotation, ...]:
        """Return the phenotypic features recorded for a disease, excluded ones among them, one per record."""
        return self._annotations("tail = ? AND relation = ? AND head != tail", self._key(disease), PHENOTYPE_OF)

    def inheritance(self, disease: Concept | str) -> tuple[Annotation, ...]:
        """Return the modes of inheritance recorded for a disease."""
        return self._annotations("tail = ? AND relation = ?", self._key(disease), INHERITANCE_OF)

    def course(self, disease: Concept | str) -> tuple[Annotation, ...]:
        """Return onset and clinical course recorded for a disease."""
        return self._annotations("tail = ? AND relation = ?", self._key(disease), COURSE_OF)

    def diseases(self, feature: Concept | str) -> tuple[Annotation, ...]:
        """Return the diseases for which this very feature is recorded, as present or as excluded."""
        return self._annotations("head = ? AND relation = ? AND head != tail", self._key(feature), PHENOTYPE_OF)

    def specific_diseases(self, feature: Concept | str) -> int:
        """Count the diseases for which the feature or a kind of it is recorded as present."""
        sql = (
            f"{DOWN} SELECT COUNT(DISTINCT tail) FROM walk CROSS JOIN relations ON head = key "
            "WHERE relation = ? AND NOT negative AND head != tail"
        )
        return int(self._rows(sql, self._key(feature), IS_A, PHENOTYPE_OF)[0][0])

    def pair(self, feature: Concept | str, disease: Concept | str) -> PairFacts:
        """Return all that is recorded of a feature in a disease, through kinds of the feature too."""
        head, tail = self._key(feature), self._key(disease)
        where = "tail = ? AND relation = ? AND head != tail AND head {}"
        direct = self._annotations(where.format("= ?"), tail, PHENOTYPE_OF, head)
        below = self._annotations(
            where.format("IN walk AND NOT negative AND head != ?"), tail, PHENOTYPE_OF, head, walk=(DOWN, head)
        )
        above = self._annotations(
            where.format("IN walk AND negative AND head != ?"), tail, PHENOTYPE_OF, head, walk=(UP, head)
        )
        return PairFacts(self._entries.entry(head), self._entries.entry(tail), direct, below, above)

    def relations(self, concept: Concept | str, limit: int = 50) -> tuple[Triple, ...]:
        """Return what the vocabularies state of a concept, as head or tail: treatments and causes before kinds."""
        return self._statements.relations(self._key(concept), limit)

    def triples(self, concepts: Sequence[Concept | str], limit: int = 40) -> tuple[Triple, ...]:
        """Return relations for a prompt: among these concepts first, then from them, then between their types."""
        return self._statements.triples(list(dict.fromkeys(map(self._key, concepts))), limit)

    def neighbourhood(self, concepts: Sequence[Concept | str], limit: int) -> tuple[Concept, ...]:
        """Return these concepts and those that relations lead to from them, nearest first, ``limit`` at most."""
        return self._statements.neighbourhood(list(map(self._key, concepts)), limit)

    def denied(self, concepts: Sequence[Concept]) -> list[tuple[str, str]]:
        """Return the pairs of ids among these concepts of which a vocabulary states that they are not related."""
        return self._statements.denied(list(map(self._key, concepts)))

    def array(self, name: str) -> NDArray[np.generic]:
        """Return one of the arrays of the linker's index."""
        rows = self._rows("SELECT dtype, data FROM arrays WHERE name = ? ORDER BY rowid", name)
        if not rows:
            raise corrupted(self.path, sqlite3.DatabaseError(f"the array {name} is missing"))
        return np.frombuffer(b"".join(data for _, data in rows), dtype=rows[0][0])

    def fetch(self, keys: Iterable[int]) -> None:
        """Read the entries of concept numbers that are soon asked for, all at once."""
        self._entries.fetch(keys)

    def by_number(self, key: int) -> Entry:
        """Return the entry of a concept number, as the index has it."""
        return self._entries.entry(key)

    def _concepts(self, rows: Sequence[tuple[int]]) -> tuple[Concept, ...]:
        keys = [key for (key,) in rows]
        return self._entries.concepts(keys)

    def _annotations(
        self, where: str, *values: int | str, walk: tuple[str, int] | None = None
    ) -> tuple[Annotation, ...]:
        columns = "head, tail, negative, frequency, onset, sex, refs, origin, vocabulary"
        prefix, before = ("", ()) if walk is None else (walk[0], (walk[1], IS_A))
        rows = self._rows(f"{prefix} SELECT {columns} FROM relations WHERE {where} ORDER BY rowid", *before, *values)
        self._entries.fetch(key for head, tail, *_ in rows for key in (head, tail))
        return tuple(
            Annotation(
                feature=self._entries.entry(head),
                disease=self._entries.entry(tail),
                excluded=bool(negative),
                frequency=read_frequency(frequency),
                onset=onset,
                sex=sex,
                references=tuple(refs.split(";")) if refs else (),
                origin=origin,
                vocabulary=vocabulary,
            )
            for head, tail, negative, frequency, onset, sex, refs, origin, vocabulary in rows
        )


def _fingerprint(loaders: Sequence[Loader]) -> str:
    return hashlib.sha256("\n".join((RULES, *(loader.fingerprint() for loader in loaders))).encode()).hexdigest()
