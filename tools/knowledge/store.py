"""The knowledge store: concepts, their names, definitions and relations, read from SQLite."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.errors import DataMissing, InputError
from core.schema import Concept, Triple
from tools.knowledge.database import FILE_NAME, Loader, Progress, build_database, corrupted, open_database
from tools.knowledge.frequency import read_frequency
from tools.knowledge.hpo import COURSE_OF, INHERITANCE_OF, IS_A, PHENOTYPE_OF, HpoLoader
from tools.knowledge.tokens import normalise
from tools.knowledge.values import Annotation, Entry, Name, PairFacts, Vocabulary

EXCLUDED_IN = "excluded in"

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
        chosen = (HpoLoader(),) if loaders is None else loaders
        path = home / FILE_NAME
        try:
            wanted = hashlib.sha256("\n".join(loader.fingerprint() for loader in chosen).encode()).hexdigest()
        except DataMissing:
            # The store is derived data: a whole one serves without the wheel that it came from.
            connection = open_database(path, None)
            if connection is None:
                raise
            return cls(path, connection)
        connection = open_database(path, wanted)
        if connection is None:
            build_database(path, chosen, wanted, progress or _silent)
            connection = open_database(path, wanted)
        if connection is None:
            raise corrupted(path, sqlite3.DatabaseError("it cannot be opened after it was built"))
        return cls(path, connection)

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
        """Return the concepts that have this id, CURIE or name (of any kind, stems compared); linked names first."""
        if (known := self.concept(term.strip())) is not None:
            return (known,)
        sql = (
            "SELECT concept FROM names WHERE normal = ? "
            "GROUP BY concept ORDER BY MAX(link) = 0, MAX(kind = 'preferred') = 0, concept"
        )
        normal = normalise(term)
        return tuple(self._entry(key).concept for (key,) in self._rows(sql, normal)) if normal else ()

    def names(self, concept: Concept | str) -> tuple[Name, ...]:
        """Return all names of a concept, the preferred one first."""
        sql = "SELECT name, kind, vocabulary, link FROM names WHERE concept = ? ORDER BY kind != 'preferred', rowid"
        return tuple(Name(n, k, v, bool(link)) for n, k, v, link in self._rows(sql, self._key(concept)))

    def definition(self, concept: Concept | str) -> str | None:
        """Return the definition of a concept, where its vocabulary has one."""
        rows = self._rows("SELECT text FROM definitions WHERE concept = ? ORDER BY rowid", self._key(concept))
        return rows[0][0] if rows else None

    def parents(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return the concepts one step broader."""
        sql = "SELECT tail FROM relations WHERE head = ? AND relation = ? ORDER BY rowid"
        return self._concepts(self._rows(sql, self._key(concept), IS_A))

    def children(self, concept: Concept | str) -> tuple[Concept, ...]:
        """Return the concepts one step narrower."""
        sql = "SELECT head FROM relations WHERE tail = ? AND relation = ? ORDER BY rowid"
        return self._concepts(self._rows(sql, self._key(concept), IS_A))

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

    def triples(self, concepts: Sequence[Concept | str]) -> tuple[Triple, ...]:
        """Return the relations that the store states among these concepts, those of the first ones first.

        ``is a`` is followed through all steps; a feature recorded as absent is "excluded in" its disease.
        """
        keys = list(dict.fromkeys(self._key(concept) for concept in concepts))
        place = {key: n for n, key in enumerate(keys)}
        found: dict[Triple, tuple[int, int]] = {}
        sql = (
            "SELECT DISTINCT head, relation, tail, vocabulary, negative FROM relations "
            "WHERE head = ? AND relation != ? AND head != tail AND tail IN (SELECT value FROM json_each(?))"
        )
        for key in keys:
            direct = self._rows(sql, key, IS_A, json.dumps(keys))
            broader = self._rows(f"{_UP} SELECT key FROM walk WHERE key != ?", key, IS_A, key)
            inferred = [(key, IS_A, above, "HPO", 0) for (above,) in broader if above in place]
            for head, relation, tail, vocabulary, negative in [*direct, *inferred]:
                said = EXCLUDED_IN if negative and relation == PHENOTYPE_OF else relation
                if negative and said == relation:
                    continue
                triple = Triple(
                    head=self._entry(head).concept, relation=said, tail=self._entry(tail).concept, vocabulary=vocabulary
                )
                found[triple] = min((place[head], place[tail]), (place[tail], place[head]))
        return tuple(sorted(found, key=lambda triple: found[triple]))

    def linkable_names(self) -> list[tuple[str, str, str, int, int]]:
        """Return (name, normal form, kind, link mode, concept number) of every name that may be linked in text."""
        return self._rows("SELECT name, normal, kind, link, concept FROM names WHERE link != 0")

    def by_number(self, key: int) -> Entry:
        """Return the entry of a concept number, as ``linkable_names`` gives it."""
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
        if rows := self._rows("SELECT key FROM concepts WHERE id = ?", identifier):
            return int(rows[0][0])
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
        for key, identifier, name, inline, group in self._rows(
            f"SELECT key, id, name, inline, grp FROM concepts WHERE key IN {chosen}", missing
        ):
            concept = Concept(id=identifier, name=name, group=group, xrefs=(*own[key], *others[key]))
            self._entries[key] = Entry(concept, inline, tuple(own[key]))

    def _rows(self, sql: str, *values: int | str) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise corrupted(self.path, error) from error


def _silent(_: str, __: float) -> None:
    """Tell nobody."""
