"""Names under which drugs are sold, from the wheel ``drug-named-entity-recognition``.

The wheel says which generic name a name stands for. The MeSH ids that it gives are often those of a class of drugs
(antiviral agents for valacyclovir), so a generic is found in MeSH by its name; one that MeSH does not name becomes a
concept of its own. Ids are those of the drug's pages: https://medlineplus.gov/druginfo/meds/a695010.html is
``MEDLINEPLUS:a695010``, https://www.nhs.uk/medicines/zolpidem is ``NHS:zolpidem``.
"""

from __future__ import annotations

import bz2
import hashlib
import pickle
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import DataMissing
from core.wheel import data_file, fingerprint, wheel_version
from tools.knowledge.linking.english import english_words
from tools.knowledge.progress import Progress
from tools.knowledge.values import DRUG_NAMES, Vocabulary
from tools.knowledge.vocabularies.mesh import MeshLoader
from tools.knowledge.vocabularies.records import Loaded, Record

WHEEL = "drug_named_entity_recognition"
SHA256 = "ec10a1c7b633fc4bae8d0eecff053892c0e37f49e18eaf59c8a1e9f40fc80d9d"
FEWEST_LETTERS = 4

_FILE = "drug_ner_dictionary.pkl.bz2"
_DRUG = "T121"
_FORM = re.compile(
    r"(?: \([^)]*\)|-[a-z]{4}|,|(?: (?:patch|buccal|sublingual|nasal|otic|topical|vaginal|ophthalmic|transdermal|"
    r"rectal|oral|gel|spray|solution|injection|inhalation|implant|lozenge|urogenital|liposomal|lipid complex))+)$"
)
_PAGE = re.compile(r"/medicines/([a-z0-9-]+)/?$")
_LETTERS = re.compile(r"[^\W\d_]{4}")


class DrugNamesLoader:
    """The dictionary of the wheel, or a file like it, over the tables of MeSH."""

    def __init__(self, file: Path | None = None, mesh: MeshLoader | None = None, sha256: str = SHA256) -> None:
        """Remember the files; nothing is read yet."""
        self._file = file
        self._mesh = mesh or MeshLoader()
        self._sha256 = sha256

    def file(self) -> Path:
        """Return the dictionary; DataMissing where the wheel is not installed."""
        return self._file or data_file(WHEEL, _FILE)

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint((self.file(), *self._mesh.files()))

    def read(self, progress: Progress) -> Loaded:
        """Read the names of the drugs that MedlinePlus or the NHS have a page of."""
        progress("reading names of drugs", 0.0)
        drugs, generics = _dictionary(self.file(), self._sha256)
        names = {_plain(generic) for generic in drugs} | generics.keys()
        in_mesh = self._mesh.ids_of(names | set(drugs))
        progress("reading names of drugs", 0.7)
        records = list(_records(drugs, generics, in_mesh))
        progress("reading names of drugs", 1.0)
        return Loaded(_vocabulary(), records, ())


def _vocabulary() -> Vocabulary:
    return Vocabulary(
        DRUG_NAMES,
        "Names of drugs",
        f"as in drug-named-entity-recognition {wheel_version('drug-named-entity-recognition')}",
        None,
        "MIT; DrugBank's open vocabulary in it is CC0",
        "Fast Data Science, from DrugBank's open vocabulary, MedlinePlus, the NHS, MeSH and Wikipedia",
        "https://github.com/fastdatascience/drug_named_entity_recognition",
    )


class _PlainValues(pickle.Unpickler):
    """Builds dictionaries, lists, texts and numbers, and refuses whatever else a pickle asks for."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def _dictionary(path: Path, sha256: str) -> tuple[Mapping[str, Mapping[str, Any]], Mapping[str, list[str]]]:
    """What is known of each drug that has a page, by its generic name; and the generic names of every name."""
    packed = path.read_bytes()
    try:
        if hashlib.sha256(packed).hexdigest() != sha256:
            raise ValueError("its checksum is another")
        with bz2.open(path) as file:
            found = _PlainValues(file).load()
        drugs = {
            generic: facts
            for generic, facts in found["drug_canonical_to_data"].items()
            if "medline_plus_id" in facts or "nhs_url" in facts
        }
        return drugs, {
            name: known
            for name, generics in found["drug_variant_to_canonical"].items()
            if (known := [generic for generic in generics if generic in drugs])
        }
    except (OSError, ValueError, KeyError, EOFError, pickle.UnpicklingError) as error:
        raise DataMissing(f"{path} is not the one expected ({error}): run `make setup` to install it again") from error


def _records(
    drugs: Mapping[str, Mapping[str, Any]], generics: Mapping[str, Sequence[str]], in_mesh: Mapping[str, str]
) -> Iterator[Record]:
    """A record for each concept that drugs are; names that MeSH has itself, and plain English, are left out."""
    plain = english_words()
    meant = {generic: in_mesh.get(generic) or in_mesh.get(_plain(generic)) or f"~{generic}" for generic in drugs}
    members: dict[str, list[str]] = defaultdict(list)
    for generic, concept in meant.items():
        members[concept].append(generic)
    names: dict[str, list[str]] = defaultdict(list)
    for name, known in generics.items():
        concepts = {meant[generic] for generic in known}
        if len(concepts) == 1 and name not in in_mesh and _tells(name, plain):
            names[concepts.pop()].append(name)
    for concept, own in members.items():
        same = () if concept.startswith("~") else (f"MESH:{concept}",)
        called = list(dict.fromkeys([*(() if same else own[:1]), *names[concept]]))
        if called and (curies := _curies(drugs[generic] for generic in own)):
            kinds = ["exact"] * len(called) if same else ["preferred", *["exact"] * (len(called) - 1)]
            yield Record(
                curies=curies,
                names=list(zip(called, kinds, strict=True)),
                inline=called[0],
                same=same,
                types=() if same else (_DRUG,),
            )


def _curies(members: Iterator[Mapping[str, Any]]) -> tuple[str, ...]:
    """The pages of a drug and its DrugBank ids."""
    found: dict[str, None] = {}
    for facts in members:
        page = _PAGE.search(facts.get("nhs_url", ""))
        ids = (("MEDLINEPLUS", facts.get("medline_plus_id")), ("NHS", page and page[1]))
        found.update(dict.fromkeys(f"{space}:{identifier}" for space, identifier in ids if identifier))
    return tuple(sorted(found))


def _plain(generic: str) -> str:
    """A generic name without its form: "buprenorphine patch" is buprenorphine."""
    return _FORM.sub("", generic)


def _tells(name: str, plain: frozenset[str]) -> bool:
    """Whether a name is none of plain English, and no code."""
    return len(name) >= FEWEST_LETTERS and _LETTERS.search(name) is not None and name not in plain
