"""Concept ids by row and rows by concept id, as two arrays that can be mapped from disk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

LONGEST = 255


class Identifiers:
    """``names``: ids by row as UTF-8 (n,), of one width; ``order``: rows sorted by id (n,), int64."""

    def __init__(self, names: NDArray[np.bytes_], order: NDArray[np.int64]) -> None:
        """Take the arrays as ``of`` makes them."""
        self.names = names
        self.order = order

    @classmethod
    def of(cls, ids: Sequence[str]) -> Identifiers:
        """Take ids by row.

        Raises:
            InputError: an id is there twice, is empty, has a NUL or more than 255 bytes.
        """
        encoded = [_encoded(name) for name in ids]
        wrong = next((name for name, e in zip(ids, encoded, strict=True) if not 0 < len(e) <= LONGEST or 0 in e), None)
        if wrong is not None:
            raise InputError(f"{wrong[:40]!r} is no id of a concept: give 1 to {LONGEST} bytes without NUL")
        names = np.array(encoded, dtype=f"S{max(map(len, encoded), default=1)}")
        order = np.argsort(names, kind="stable")
        twice = np.flatnonzero(names[order][1:] == names[order][:-1])
        if len(twice):
            raise InputError(f"concept {ids[order[twice[0]]]!r} is there twice: give every id once")
        return cls(names, order)

    def __len__(self) -> int:
        return len(self.names)

    def row(self, name: str) -> int | None:
        """The row of an id; None for one that is not there."""
        wanted = _encoded(name)
        # A longer key would make numpy widen, that is copy, the whole array.
        if not len(self) or not 0 < len(wanted) <= self.names.itemsize or 0 in wanted:
            return None
        place = int(np.searchsorted(self.names, np.bytes_(wanted), sorter=self.order))
        if place == len(self):
            return None
        row = int(self.order[place])
        return row if self.names[row] == wanted else None

    def at(self, rows: NDArray[np.integer]) -> list[str]:
        """The ids at rows (m,)."""
        return [name.decode("utf-8", "surrogatepass") for name in self.names[rows].tolist()]


def _encoded(name: str) -> bytes:
    # Surrogates pass, so that any string has its bytes; ids from files may carry them.
    return name.encode("utf-8", "surrogatepass")
