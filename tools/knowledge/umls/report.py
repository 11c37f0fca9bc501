"""What an import tells about itself when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SAMPLES = 5


@dataclass(frozen=True)
class BadRows:
    """Rows of a file that were left out, and the first of them: ``MRREL.RRF:17: 9 columns instead of 16``."""

    count: int = 0
    samples: tuple[str, ...] = ()

    def with_more(self, count: int, samples: list[str]) -> BadRows:
        """Return it with further rows."""
        return BadRows(self.count + count, (*self.samples, *samples)[:SAMPLES])


@dataclass(frozen=True)
class ImportReport:
    """An import: its release, rows written a table, bad rows a file, and optional files that were not there.

    ``started`` says whether it began anew, and why, or went on from where one was interrupted. ``seconds`` are those
    of this process.
    """

    release: str
    started: str
    counts: Mapping[str, int]
    bad: Mapping[str, BadRows]
    missing: tuple[str, ...]
    seconds: float
