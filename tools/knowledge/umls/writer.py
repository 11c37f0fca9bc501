"""Writing names of UMLS concepts: which of them are looked for in text, and their index after an interruption."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.concepts import CHUNK, ConceptWriter
from tools.knowledge.linking.index import NamedRow
from tools.knowledge.semantics import SEMANTIC_GROUPS

GROUPS = ("", *sorted(SEMANTIC_GROUPS))
"""Abbreviations of the semantic groups by the numbers that stand for them; 0 for none."""

_LINKED = tuple(group not in ("", "CONC", "GEOG", "OCCU", "ORGA", "ACTI") for group in GROUPS)
_SINGLE_WORDS = tuple(group in ("ANAT", "CHEM", "DISO", "PROC") for group in GROUPS)
"""Groups whose single words are terms rather than plain English; where the others' are, only longer names link."""

_SPELLED = tuple(group not in ("", "CHEM", "GENE", "LIVB") for group in GROUPS)
"""Groups whose words spelling is corrected to: those of substances, genes and organisms, of which the UMLS has
millions, are left to the open vocabularies."""


class ImportWriter(ConceptWriter):
    """A writer of concepts into a store that may have some."""

    def __init__(self, connection: sqlite3.Connection, folder: Path, groups: NDArray[np.uint8]) -> None:
        """Index the names that the store has; ``groups`` has a concept's semantic group, by numbers."""
        super().__init__(connection, folder)
        self._groups = groups
        cursor = connection.execute("SELECT concept, name, kind FROM names ORDER BY rowid")
        while part := cursor.fetchmany(CHUNK):
            for spelled, rows in groupby(part, lambda row: self._spelled(row[0])):
                with self._words(spelled):
                    self._index.add([self.named(*row) for row in rows])

    def named(self, concept: int, text: str, kind: str) -> NamedRow:
        """Return a name of a UMLS concept as it is indexed."""
        group = int(self._groups[concept])
        return NamedRow(text, kind, concept, _LINKED[group], _SINGLE_WORDS[group])

    def write_names(self, rows: Iterable[tuple[int, str, str, str]]) -> None:
        """Insert names and index them: (concept, text, kind, vocabulary)."""
        for spelled, part in groupby(sorted(rows, key=self._order), lambda row: self._spelled(row[0])):
            with self._words(spelled):
                self.names((self.named(*row[:3]), row[3]) for row in part)

    def _order(self, row: tuple[int, str, str, str]) -> bool:
        return self._spelled(row[0])

    def _spelled(self, concept: int) -> bool:
        return _SPELLED[int(self._groups[concept])]

    @contextmanager
    def _words(self, spelled: bool) -> Iterator[None]:
        """Leave the words that spelling is corrected to as they are, unless ``spelled``."""
        words = self._index.words
        self._index.words = words if spelled else set()
        yield
        self._index.words = words
