"""What the addresses in a reply point at, and the ids that concepts have here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

CUI = re.compile(r"C\d{7}")

_ADDRESS = re.compile(r"/(?:(?:CUI|AUI)/(?P<ui>[AC]\d+)|source/(?P<vocabulary>[^/]+)/(?P<code>.+?))/?$")
_AUI = re.compile(r"A\d{5,}")
_PREFIXES = {
    "LNC": "LOINC",
    "MDR": "MEDDRA",
    "MSH": "MESH",
    "NCI": "NCIT",
    "ORPHANET": "ORPHA",
}
"""Prefix of CURIEs by UMLS source abbreviation, where the two differ."""
_PREFIXED = {"GO": "GO", "HGNC": "HGNC", "HP": "HPO", "MONDO": "MONDO"}
"""UMLS source abbreviation by the prefix that its own codes begin with."""
_VOCABULARIES = {prefix: vocabulary for vocabulary, prefix in _PREFIXES.items()} | {"SNOMEDCT": "SNOMEDCT_US"}


@dataclass(frozen=True)
class Reference:
    """A concept (``C0011849``), an atom (``A0704559``), or a code, which alone has a ``vocabulary``."""

    ui: str
    vocabulary: str = ""

    @property
    def cui(self) -> str | None:
        """The id of the concept, if it is one."""
        return self.ui if not self.vocabulary and CUI.fullmatch(self.ui) else None

    @property
    def identifier(self) -> str:
        """A CUI, or a CURIE."""
        if self.cui:
            return self.ui
        if not self.vocabulary:
            return f"AUI:{self.ui}"
        if _PREFIXED.get(self.ui.partition(":")[0]) == self.vocabulary:
            return self.ui
        return f"{_PREFIXES.get(self.vocabulary, self.vocabulary)}:{self.ui}"


def pointed_at(address: str) -> Reference | None:
    """Read ``https://…/content/2024AA/source/MSH/D003920``, ``…/CUI/C0011849``, ``…/AUI/A0704559`` or a bare id."""
    path = address.partition("?")[0]
    found = _ADDRESS.search(path)
    if found is None:
        return Reference(path) if CUI.fullmatch(path) or _AUI.fullmatch(path) else None
    if found["ui"]:
        return Reference(found["ui"])
    return Reference(unquote(found["code"]), unquote(found["vocabulary"]))


def identified(identifier: str) -> Reference | None:
    """Read a CUI or a CURIE such as ``MESH:D003920``, ``UMLS:C0011849`` or ``HP:0001166``; None for anything else."""
    prefix, colon, code = identifier.strip().partition(":")
    if not colon:
        return Reference(prefix) if CUI.fullmatch(prefix) else None
    if not re.fullmatch(r"[A-Za-z][\w.-]*", prefix) or not re.fullmatch(r"\S+", code):
        return None
    if prefix in ("UMLS", "AUI"):
        pattern = CUI if prefix == "UMLS" else _AUI
        return Reference(code) if pattern.fullmatch(code) else None
    if prefix in _PREFIXED:
        return Reference(f"{prefix}:{code}", _PREFIXED[prefix])
    return Reference(code, _VOCABULARIES.get(prefix, prefix))
