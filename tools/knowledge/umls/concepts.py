"""Staged names into concepts: each with its preferred name, its other names, and the codes of its vocabularies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tools.knowledge.linking.index import KINDS
from tools.knowledge.linking.names import adjective, eponym, inline_form, uninverted
from tools.knowledge.umls.names import RANK_BITS
from tools.knowledge.umls.sources import curie, name_kind, owns_code
from tools.knowledge.umls.work import SOURCE, Work, batches
from tools.knowledge.umls.writer import GROUPS

_LOWERED = frozenset(("ANAT", "DISO", "PHEN", "PHYS", "PROC"))
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
_INLINE = inline_form(())
_SHORT = 8


class _Source(NamedTuple):
    vocabulary: str
    kind: str
    owns: bool


class _Atom(NamedTuple):
    concept: int
    rank: int
    source: _Source
    code: str
    text: str


def write_concepts(work: Work) -> None:
    """Write the concepts of all staged names, in the order of their CUIs, bucket by bucket."""
    sources = {n: _source(word) for n, word in work.words.by_number().items() if word.startswith(f"{SOURCE}|")}
    parts = batches(work.connection, "staged_names", "cuis")
    for done, buckets in enumerate(parts, 1):
        atoms = sorted(_atoms(work.connection, buckets, sources), key=itemgetter(0, 1))
        concepts = {concept: list(own) for concept, own in groupby(atoms, itemgetter(0))}
        work.writer.insert("concepts", (_concept(work, concept, own) for concept, own in concepts.items()))
        work.writer.write_names(row for concept, own in concepts.items() for row in _names(work, concept, own))
        work.writer.insert("xrefs", (row for concept, own in concepts.items() for row in _xrefs(concept, own)))
        work.connection.execute("DELETE FROM staged_names WHERE bucket BETWEEN ? AND ?", buckets)
        work.commit()
        work.clock.tell(done / len(parts))


def _source(word: str) -> _Source:
    _, vocabulary, term_type = word.split("|")
    return _Source(vocabulary, name_kind(vocabulary, term_type) or "exact", owns_code(term_type))


def _atoms(connection: sqlite3.Connection, buckets: tuple[int, int], sources: Mapping[int, _Source]) -> Iterator[_Atom]:
    sql = "SELECT cuis, sources, texts FROM staged_names WHERE bucket BETWEEN ? AND ? ORDER BY bucket, rowid"
    for cuis, marks, texts in connection.execute(sql, buckets):
        numbers, staged = np.frombuffer(cuis, np.uint32).tolist(), np.frombuffer(marks, np.uint32).tolist()
        for concept, mark, line in zip(numbers, staged, texts.decode("utf-8").split("\n"), strict=True):
            code, _, text = line.partition("|")
            yield _Atom(concept, mark & (1 << RANK_BITS) - 1, sources[mark >> RANK_BITS], code, text)


def _concept(work: Work, concept: int, own: list[_Atom]) -> tuple[int, str, str, str | None]:
    name = own[0].text
    inline = uninverted(name) or name
    if GROUPS[work.groups[concept]] in _LOWERED:
        inline = _INLINE(inline, False)
    return concept, f"C{concept:07}", name, inline if inline != name else None


def _names(work: Work, concept: int, own: list[_Atom]) -> Iterator[tuple[int, str, str, str]]:
    """The names of a concept, those alike but for capitals once: as what they are of the best kind."""
    best: dict[str, tuple[int, int, str, str, str]] = {}
    for n, atom in enumerate(own):
        kind = "preferred" if not n else atom.source.kind
        key = atom.text if len(atom.text) <= _SHORT and atom.text.isupper() else atom.text.lower()
        found = (_RANK[kind], n, atom.text, kind, atom.source.vocabulary)
        best[key] = min(found, best.get(key, found))
    if GROUPS[work.groups[concept]] == "DISO":
        for rank, n, text, kind, vocabulary in list(best.values()):
            reading = eponym(text) or adjective(text) if kind in ("preferred", "heading", "exact") else None
            if reading and reading.lower() not in best:
                best[reading.lower()] = (rank + len(KINDS), n, reading, "derived", vocabulary)
    for _, _, text, kind, vocabulary in sorted(best.values()):
        yield concept, text, kind, vocabulary


def _xrefs(concept: int, own: list[_Atom]) -> Iterator[tuple[int, str, str]]:
    """Codes: what the concept is, where a main name of the code is its own; otherwise a mapping."""
    found: dict[str, bool] = {}
    for atom in own:
        if identifier := curie(atom.source.vocabulary, atom.code):
            found[identifier] = found.get(identifier, False) or atom.source.owns
    for identifier, owns in sorted(found.items(), key=lambda item: not item[1]):
        yield concept, identifier, "identity" if owns else "mapping"
