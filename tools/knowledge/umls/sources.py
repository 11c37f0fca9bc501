"""What the UMLS's source vocabularies are called here: prefixes of their codes, kinds of their names, themselves.

Term types: Abbreviations Used in Data Elements, https://www.nlm.nih.gov/research/umls/knowledge_sources/metathesaurus/release/abbreviations.html.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tools.knowledge.umls.release import Release
from tools.knowledge.umls.rows import MRSAB
from tools.knowledge.values import Vocabulary

UMLS = "UMLS"
NO_SOURCES = frozenset(("SRC",))
"""Vocabularies about vocabularies: their names are of the sources themselves."""

_PREFIXES = {"LNC": "LOINC", "MDR": "MEDDRA", "MSH": "MESH", "NCI": "NCIT", "ORPHANET": "ORPHA"}
_OWN_PREFIX = re.compile(r"(?P<space>HP|GO|HGNC|MONDO|CHEBI|DOID|ORPHA|OMIM|MESH):\S+")
_ORPHANET = re.compile(r"(?:Orphanet|ORPHA)[_:]", re.IGNORECASE)
_NO_CODES = frozenset(("MTH", "CHV"))

_OBSOLETE = frozenset(
    "IS LO OA OAF OAM OAP OAS OET OF OL OLC OM ONP OOSN OP OPN "
    "MTH_IS MTH_LO MTH_OAF MTH_OAP MTH_OET MTH_OF MTH_OL MTH_OP MTH_OPN".split()
)
_ABBREVIATIONS = frozenset("AB ACR MTH_ACR".split())
_BRITISH = frozenset("FNGB MTH_PTGB PTGB SYGB".split())
_MAIN = frozenset(
    "BN BPCK DF DN FN FNGB GPCK HD HT IN LN LPN MH MIN MTH_FN MTH_HT MTH_PT NM PF PIN PN PT PTGB PTN SBD SBDC SBDF "
    "SBDG SCD SCDC SCDF SCDG SU TA".split()
)
_LAYPERSON = frozenset(("CHV",))
_HEADINGS = _MAIN - {"FN", "LN", "MTH_FN"}


def curie(vocabulary: str, code: str) -> str | None:
    """Return a code with the prefix that the open vocabularies use; None where it names nothing."""
    if vocabulary in _NO_CODES or not code or code == "NOCODE":
        return None
    if vocabulary == "ORPHANET":
        code = _ORPHANET.sub("", code)
    elif _OWN_PREFIX.fullmatch(code):
        return code
    return f"{_PREFIXES.get(vocabulary, vocabulary)}:{code}"


def name_kind(vocabulary: str, term_type: str) -> str | None:
    """Return the store's kind of a name, ``heading`` where the vocabulary prefers it; None where it is obsolete."""
    if term_type in _OBSOLETE:
        return None
    if term_type in _ABBREVIATIONS:
        return "abbreviation"
    if vocabulary in _LAYPERSON:
        return "layperson"
    if term_type in _BRITISH:
        return "spelling"
    return "heading" if term_type in _HEADINGS else "exact"


def owns_code(term_type: str) -> bool:
    """Whether a name of this type says that its concept is what the code means, rather than something under it."""
    return term_type in _MAIN


def vocabularies(release: Release, used: Collection[str]) -> Iterator[Vocabulary]:
    """The Metathesaurus itself, and those of its source vocabularies that were read, as MRSAB describes them."""
    licence = "UMLS Metathesaurus License (https://uts.nlm.nih.gov/license.html): each user needs one"
    thanks = f"UMLS Metathesaurus {release.name}, courtesy of the U.S. National Library of Medicine"
    url = "https://www.nlm.nih.gov/research/umls"
    yield Vocabulary(UMLS, "UMLS Metathesaurus", release.name, None, licence, thanks, url)
    told: dict[str, tuple[str, ...]] = {}
    for parsed in release.small(MRSAB):
        told |= {row[0].decode(): tuple(value.decode() for value in row) for row in zip(*parsed.columns, strict=True)}
    for id_ in sorted(used):
        _, name, version, level, citation = told.get(id_, (id_, id_, "", "", ""))
        restricted = f"; restriction level {level}" if level else ""
        shown = version or f"as in UMLS {release.name}"
        yield Vocabulary(
            id_,
            name or id_,
            shown,
            None,
            licence + restricted,
            citation or thanks,
            f"{url}/sourcereleasedocs/current/{id_}",
        )
