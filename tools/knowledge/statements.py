"""What the vocabularies state of concepts: triples among them and from them, and who is around them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, islice, permutations, product, zip_longest

from core.schema import Concept, Triple
from tools.knowledge.entries import Entries
from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.values import COURSE_OF, HAS_ROLE, INHERITANCE_OF, IS_A, NARROWER, NOT, PHENOTYPE_OF

EXCLUDED_IN = "excluded in"
SEMANTIC_NETWORK = "UMLS Semantic Network"
INFERRED = "inferred"
"""The vocabulary of an ``is a`` that several steps, perhaps of several vocabularies, lead to."""

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
UP = _WALK.format("tail", "head")
"""Walks ``is a`` upwards from a concept: all that it is a kind of, nearest first."""
DOWN = _WALK.format("head", "tail")
"""The same downwards."""


class Statements:
    """Relations of a store, by the numbers of concepts."""

    def __init__(self, entries: Entries) -> None:
        """Read through these entries."""
        self._entries = entries

    def relations(self, key: int, limit: int) -> tuple[Triple, ...]:
        """Return what the vocabularies state of a concept, as head or tail: treatments and causes before kinds."""
        rows = self._entries.rows(_OF_CONCEPT, key, key, limit)
        return self._triples([row[:5] for row in rows])

    def triples(self, keys: Sequence[int], limit: int) -> tuple[Triple, ...]:
        """Return relations for a prompt, those that tell most about the concepts first.

        First the relations among the concepts, those of the first ones before others; then what is stated of each,
        concepts taking turns; then what the UMLS Semantic Network states of their types. ``is a`` among them is
        followed through all steps; a feature recorded as absent is "excluded in" its disease.
        """
        further = zip_longest(*(self.relations(key, max(1, limit // max(1, len(keys)))) for key in keys))
        found = chain(
            self._among(keys),
            (t for row in further for t in row if t),
            self._between_types(self._entries.concepts(keys)),
        )
        unique: dict[tuple[str, str, str], Triple] = {}
        for triple in found:
            unique.setdefault((triple.head.id, triple.relation, triple.tail.id), triple)
        return tuple(islice(unique.values(), limit))

    def _among(self, keys: Sequence[int]) -> tuple[Triple, ...]:
        place = {key: n for n, key in enumerate(keys)}
        rows: dict[tuple[int, str, int, str, int], tuple[int, int]] = {}
        for key in keys:
            direct = self._entries.rows(_AMONG, key, IS_A, json.dumps(keys))
            broader = self._entries.rows(f"{UP} SELECT key FROM walk WHERE key != ?", key, IS_A, key)
            inferred = [(key, IS_A, above, INFERRED, 0) for (above,) in broader if above in place]
            for row in [*direct, *inferred]:
                head, _, tail, *_ = row
                rows[row] = min((place[head], place[tail]), (place[tail], place[head]))
        return self._triples(sorted(rows, key=lambda row: rows[row]))

    def _triples(self, rows: Sequence[tuple[int, str, int, str, int]]) -> tuple[Triple, ...]:
        """Triples of rows; the relation of what is stated not to hold says so."""
        entries = self._entries.fetch(key for head, _, tail, *_ in rows for key in (head, tail))
        found = (
            Triple(
                head=entries[head].concept,
                relation=_NEGATED.get(relation, f"{NOT}{relation}") if negative else relation,
                tail=entries[tail].concept,
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
                for (relation,) in self._entries.rows(sql, named[one], named[other]):
                    ends = (Concept(id=named[name], name=name, types=(name,)) for name in (one, other))
                    yield Triple(head=next(ends), relation=relation, tail=next(ends), vocabulary=SEMANTIC_NETWORK)

    def neighbourhood(self, keys: Sequence[int], limit: int) -> tuple[Concept, ...]:
        """Return these concepts and those that relations lead to from them, nearest first, ``limit`` at most."""
        found = dict.fromkeys(keys)
        waiting = list(found)
        while waiting and len(found) < limit:
            steps = [
                [
                    other
                    for row in self._entries.rows(_OF_CONCEPT, key, key, limit)
                    for other in row[:3:2]
                    if other not in found
                ]
                for key in waiting
            ]
            waiting = []
            for row in zip_longest(*steps):
                new = [key for key in dict.fromkeys(row) if key is not None and key not in found]
                waiting += new[: limit - len(found)]
                found.update(dict.fromkeys(new[: limit - len(found)]))
        return self._entries.concepts(found)

    def denied(self, keys: Sequence[int]) -> list[tuple[str, str]]:
        """Return the pairs of ids among these concepts of which a vocabulary states that they are not related."""
        sql = (
            "SELECT DISTINCT head, tail FROM relations WHERE negative AND head != tail "
            "AND head IN (SELECT value FROM json_each(?1)) AND tail IN (SELECT value FROM json_each(?1))"
        )
        pairs = self._entries.rows(sql, json.dumps(list(keys)))
        ends = self._entries.fetch(key for pair in pairs for key in pair)
        return [(ends[head].concept.id, ends[tail].concept.id) for head, tail in pairs]
