"""The knowledge store: concepts, their names, definitions and relations, read from SQLite."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, permutations, product, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import DataMissing, InputError
from core.schema import Concept, Triple
from tools.knowledge.concepts import open_vocabularies
from tools.knowledge.database import FILE_NAME, build_database, corrupted, open_database
from tools.knowledge.frequency import read_frequency
from tools.knowledge.linking.matching import NameIndex, named
from tools.knowledge.linking.reading import read
from tools.knowledge.progress import Progress, silent
from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.values import (
    COURSE_OF,
    HAS_ROLE,
    INHERITANCE_OF,
    IS_A,
    NARROWER,
    NOT,
    PHENOTYPE_OF,
    Annotation,
    Entry,
    Name,
    PairFacts,
    Vocabulary,
)
from tools.knowledge.vocabularies.default import default_loaders
from tools.knowledge.vocabularies.records import Loader

EXCLUDED_IN = "excluded in"
SEMANTIC_NETWORK = "UMLS Semantic Network"
INFERRED = "inferred"
"""The vocabulary of an ``is a`` that several steps, perhaps of several vocabularies, lead to."""

_CUI = re.compile(r"C\d{7}")

_NEGATED = {PHENOTYPE_OF: EXCLUDED_IN}
_COLUMNS = "head, relation, tail, vocabulary, negative"
_AMONG = (
    f"SELECT DISTINCT {_COLUMNS} FROM relations "
    "WHERE head = ? AND relation != ? AND head != tail AND tail IN (SELECT value FROM json_each(?))"
)
_RANK = f"CASE relation WHEN '{HAS_ROLE}' THEN 1 WHEN '{IS_A}' THEN 2 WHEN '{NARROWER}' THEN 3 "
_RANK += f"WHEN '{PHENOTYPE_OF}' THEN 4 WHEN '{INHERITANCE_OF}' THEN 4 WHEN '{COURSE_OF}' THEN 5 ELSE 0 END"
_OF_CONCEPT = (
    f"SELECT DISTINCT {_COLUMNS}, {_RANK} AS rank, head != ?1 AS backwards FROM relations "
    "WHERE (head = ?1 OR tail = ?2) AND head != tail "
    f"AND NOT (tail = ?2 AND relation IN ('{IS_A}', '{NARROWER}', '{HAS_ROLE}')) "
    "ORDER BY rank, backwards, rowid LIMIT ?3"
)
_WALK = (
    "WITH RECURSIVE walk(key) AS (VALUES(?) UNION SELECT {} FROM relations JOIN walk ON {} = key WHERE relation = ?)"
)
_UP = _WALK.format("tail", "head")
_DOWN = _WALK.format("head", "tail")


class KnowledgeStore:
    """Reading access to a built store; safe to use from any thread.

    Wherever a concept is asked for, a ``Concept``, its id (a CUI) or any CURIE of it will do; InputError for one that
    the store does not have. A store that turns out to be damaged raises StoreCorrupted.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Take over an open connection; ``KnowledgeStore.open`` is the usual way in."""
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        self._entries: dict[int, Entry] = {}

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
        with self._lock:
            self._connection.close()

    def vocabularies(self) -> tuple[Vocabulary, ...]:
        """Return what is in the store, with version, licence and the acknowledgement that it asks for."""
        return tuple(Vocabulary(*row) for row in self._rows("SELECT * FROM vocabularies ORDER BY id"))

    def concept(self, identifier: str) -> Concept | None:
        """Return the concept of an id or CURIE (of a mapped code only where it has one concept); None if unknown."""
        key = self._find(identifier)
        return None if key is None else self._entry(key).concept

    def entry(self, concept: Concept | str) -> Entry:
        """Return a concept with its form inside a sentence and its own CURIEs."""
        return self._entry(self._key(concept))

    def lookup(self, term: str) -> tuple[Concept, ...]:
        """Return the concepts of an id, a CURIE or a name (of any kind, in any order); those written alike first."""
        if (known := self.concept(term.strip())) is not None:
            return (known,)
        return tuple(self._concepts([(key,) for key in named(read(term), self.index)]))

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
        return self._walked(_UP, concept)

    def descendants(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return all narrower concepts, without the concept itself, nearest first."""
        return self._walked(_DOWN, concept)

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
            f"{_DOWN} SELECT COUNT(DISTINCT tail) FROM walk CROSS JOIN relations ON head = key "
            "WHERE relation = ? AND NOT negative AND head != tail"
        )
        return int(self._rows(sql, self._key(feature), IS_A, PHENOTYPE_OF)[0][0])

    def pair(self, feature: Concept | str, disease: Concept | str) -> PairFacts:
        """Return all that is recorded of a feature in a disease, through kinds of the feature too."""
        head, tail = self._key(feature), self._key(disease)
        where = "tail = ? AND relation = ? AND head != tail AND head {}"
        direct = self._annotations(where.format("= ?"), tail, PHENOTYPE_OF, head)
        below = self._annotations(
            where.format("IN walk AND NOT negative AND head != ?"), tail, PHENOTYPE_OF, head, walk=(_DOWN, head)
        )
        above = self._annotations(
            where.format("IN walk AND negative AND head != ?"), tail, PHENOTYPE_OF, head, walk=(_UP, head)
        )
        return PairFacts(self._entry(head), self._entry(tail), direct, below, above)

    def relations(self, concept: Concept | str, limit: int = 50) -> tuple[Triple, ...]:
        """Return what the vocabularies state of a concept, as head or tail: treatments and causes before kinds."""
        key = self._key(concept)
        rows = self._rows(_OF_CONCEPT, key, key, limit)
        return self._triples([row[:5] for row in rows])

    def triples(self, concepts: Sequence[Concept | str], limit: int = 40) -> tuple[Triple, ...]:
        """Return relations for a prompt, those that tell most about the concepts first.

        First the relations among the concepts, those of the first ones before others; then what is stated of each,
        concepts taking turns; then what the UMLS Semantic Network states of their types. ``is a`` among them is
        followed through all steps; a feature recorded as absent is "excluded in" its disease.
        """
        keys = list(dict.fromkeys(self._key(concept) for concept in concepts))
        known = self._entries_of(keys)
        further = zip_longest(*(self.relations(concept, max(1, limit // max(1, len(keys)))) for concept in known))
        found = chain(self._among(keys), (t for row in further for t in row if t), self._between_types(known))
        unique: dict[tuple[str, str, str], Triple] = {}
        for triple in found:
            unique.setdefault((triple.head.id, triple.relation, triple.tail.id), triple)
        return tuple(islice(unique.values(), limit))

    def _among(self, keys: Sequence[int]) -> tuple[Triple, ...]:
        place = {key: n for n, key in enumerate(keys)}
        rows: dict[tuple[int, str, int, str, int], tuple[int, int]] = {}
        for key in keys:
            direct = self._rows(_AMONG, key, IS_A, json.dumps(keys))
            broader = self._rows(f"{_UP} SELECT key FROM walk WHERE key != ?", key, IS_A, key)
            inferred = [(key, IS_A, above, INFERRED, 0) for (above,) in broader if above in place]
            for row in [*direct, *inferred]:
                head, _, tail, *_ = row
                rows[row] = min((place[head], place[tail]), (place[tail], place[head]))
        return self._triples(sorted(rows, key=lambda row: rows[row]))

    def _triples(self, rows: Sequence[tuple[int, str, int, str, int]]) -> tuple[Triple, ...]:
        """Triples of rows; the relation of what is stated not to hold says so."""
        self._fetch(key for head, _, tail, *_ in rows for key in (head, tail))
        found = (
            Triple(
                head=self._entry(head).concept,
                relation=_NEGATED.get(relation, f"{NOT}{relation}") if negative else relation,
                tail=self._entry(tail).concept,
                vocabulary=vocabulary,
            )
            for head, relation, tail, vocabulary, negative in rows
        )
        return tuple(dict.fromkeys(found))

    def _between_types(self, concepts: Sequence[Concept]) -> Iterator[Triple]:
        """What the Semantic Network states between the types of different concepts."""
        named = {name: tui for tui, (name, _) in SEMANTIC_TYPES.items()}
        for head, tail in permutations(concepts, 2):
            for one, other in product(head.types, tail.types):
                sql = "SELECT DISTINCT relation FROM type_relations WHERE head = ? AND tail = ? ORDER BY relation"
                for (relation,) in self._rows(sql, named[one], named[other]):
                    ends = (Concept(id=named[name], name=name, types=(name,)) for name in (one, other))
                    yield Triple(head=next(ends), relation=relation, tail=next(ends), vocabulary=SEMANTIC_NETWORK)

    def _entries_of(self, keys: Sequence[int]) -> list[Concept]:
        self._fetch(keys)
        return [self._entry(key).concept for key in keys]

    def neighbourhood(self, concepts: Sequence[Concept | str], limit: int) -> tuple[Concept, ...]:
        """Return these concepts and those that relations lead to from them, nearest first, ``limit`` at most."""
        found = dict.fromkeys(self._key(concept) for concept in concepts)
        waiting = list(found)
        while waiting and len(found) < limit:
            steps = [
                [other for row in self._rows(_OF_CONCEPT, key, key, limit) for other in row[:3:2] if other not in found]
                for key in waiting
            ]
            waiting = []
            for row in zip_longest(*steps):
                new = [key for key in dict.fromkeys(row) if key is not None and key not in found]
                waiting += new[: limit - len(found)]
                found.update(dict.fromkeys(new[: limit - len(found)]))
        return tuple(self._entries_of(list(found)))

    def denied(self, concepts: Sequence[Concept]) -> list[tuple[str, str]]:
        """Return the pairs of ids among these concepts of which a vocabulary states that they are not related."""
        keys = json.dumps([self._key(concept) for concept in concepts])
        sql = (
            "SELECT DISTINCT head, tail FROM relations WHERE negative AND head != tail "
            "AND head IN (SELECT value FROM json_each(?1)) AND tail IN (SELECT value FROM json_each(?1))"
        )
        return [(self._entry(head).concept.id, self._entry(tail).concept.id) for head, tail in self._rows(sql, keys)]

    def array(self, name: str) -> NDArray[np.generic]:
        """Return one of the arrays of the linker's index."""
        rows = self._rows("SELECT dtype, data FROM arrays WHERE name = ? ORDER BY rowid", name)
        if not rows:
            raise corrupted(self.path, sqlite3.DatabaseError(f"the array {name} is missing"))
        return np.frombuffer(b"".join(data for _, data in rows), dtype=rows[0][0])

    def fetch(self, keys: Iterable[int]) -> None:
        """Read the entries of concept numbers that are soon asked for, all at once."""
        self._fetch(keys)

    def by_number(self, key: int) -> Entry:
        """Return the entry of a concept number, as the index has it."""
        return self._entry(key)

    def _walked(self, walk: str, concept: Concept | str) -> tuple[Concept, ...]:
        key = self._key(concept)
        return self._concepts(self._rows(f"{walk} SELECT key FROM walk WHERE key != ?", key, IS_A, key))

    def _concepts(self, rows: Sequence[tuple[int]]) -> tuple[Concept, ...]:
        keys = [key for (key,) in rows]
        self._fetch(keys)
        return tuple(self._entries[key].concept for key in keys)

    def _annotations(
        self, where: str, *values: int | str, walk: tuple[str, int] | None = None
    ) -> tuple[Annotation, ...]:
        columns = "head, tail, negative, frequency, onset, sex, refs, origin, vocabulary"
        prefix, before = ("", ()) if walk is None else (walk[0], (walk[1], IS_A))
        rows = self._rows(f"{prefix} SELECT {columns} FROM relations WHERE {where} ORDER BY rowid", *before, *values)
        self._fetch(key for head, tail, *_ in rows for key in (head, tail))
        return tuple(
            Annotation(
                feature=self._entry(head),
                disease=self._entry(tail),
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

    def _key(self, concept: Concept | str) -> int:
        identifier = concept if isinstance(concept, str) else concept.id
        key = self._find(identifier)
        if key is None:
            raise InputError(
                f"no concept {identifier!r} in the knowledge store: give a CUI or a CURIE such as HP:0001166"
            )
        return key

    def _find(self, identifier: str) -> int | None:
        bare = identifier.removeprefix("UMLS:")
        if rows := self._rows("SELECT key FROM concepts WHERE id = ?", bare if _CUI.fullmatch(bare) else identifier):
            return int(rows[0][0])
        if _CUI.fullmatch(identifier):
            identifier = f"UMLS:{identifier}"
        sql = "SELECT DISTINCT concept, kind != 'mapping' AS own FROM xrefs WHERE curie = ? ORDER BY own DESC"
        found = self._rows(sql, identifier)
        own = [key for key, is_own in found if is_own] or [key for key, _ in found]
        return int(own[0]) if len(set(own)) == 1 else None

    def _entry(self, key: int) -> Entry:
        if key not in self._entries:
            self._fetch([key])
        return self._entries[key]

    def _fetch(self, keys: Iterable[int]) -> None:
        """Read the entries that are not in memory yet, all at once."""
        missing = json.dumps([key for key in set(keys) if key not in self._entries])
        if missing == "[]":
            return
        chosen = "(SELECT value FROM json_each(?))"
        own: dict[int, list[str]] = defaultdict(list)
        others: dict[int, list[str]] = defaultdict(list)
        for key, curie, kind in self._rows(
            f"SELECT concept, curie, kind FROM xrefs WHERE concept IN {chosen} ORDER BY rowid", missing
        ):
            (own if kind == "identity" else others)[key].append(curie)
        types: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for key, tui, derived in self._rows(
            f"SELECT concept, tui, derived FROM types WHERE concept IN {chosen} ORDER BY rowid", missing
        ):
            types[key].append((tui, derived))
        for key, identifier, name, inline in self._rows(
            f"SELECT key, id, name, inline FROM concepts WHERE key IN {chosen}", missing
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
            self._entries[key] = Entry(concept, inline or name, tuple(own[key]))

    def _rows(self, sql: str, *values: int | str) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise corrupted(self.path, error) from error


def _fingerprint(loaders: Sequence[Loader]) -> str:
    return hashlib.sha256("\n".join(loader.fingerprint() for loader in loaders).encode()).hexdigest()
