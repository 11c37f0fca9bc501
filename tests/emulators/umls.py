"""The UMLS REST service in small: its addresses, parameters, reply shapes, pages and refusals, over a loopback socket.

Source: https://documentation.uts.nlm.nih.gov/rest/home.html. Addresses in replies name the real host, as its do.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.emulators.http import Emulator, Reply, Request, serving

KEY = "0d1e2f3a-secret-uts-key"
RELEASE = "2024AA"
HOST = "https://uts-ws.nlm.nih.gov/rest"
CONTENT = f"{HOST}/content/{RELEASE}"

BUSY = Reply(429, b"slow down", {"retry-after": "1"})
BROKEN = Reply(500, b"stack trace")
HTML_PAGE = Reply(200, b"<html><body>Scheduled maintenance</body></html>", {"content-type": "text/html"})
TRUNCATED = Reply(200, b'{"pageSize": 25, "pageNumber": 1, "resu', {"content-type": "application/json"})
OTHER_JSON = Reply(
    200, b'{"pageSize": 25, "result": {"title": "a renamed field"}}', {"content-type": "application/json"}
)


@dataclass(frozen=True)
class Concept:
    """A concept of the table: types are (TUI, name), atoms (vocabulary, name), codes (vocabulary, code)."""

    name: str
    types: Sequence[tuple[str, str]]
    atoms: Sequence[tuple[str, str]] = ()
    codes: Sequence[tuple[str, str]] = ()
    definitions: Sequence[tuple[str, str]] = ()
    relations: Sequence[Mapping[str, Any]] = ()


def _relation(label: str, rela: str, vocabulary: str, related: str, name: str, **more: Any) -> dict[str, Any]:
    kind = "ConceptRelation" if related.startswith("/CUI/") else "AtomClusterRelation"
    row = {"ui": "R1", "suppressible": False, "obsolete": False, "sourceOriginated": False, "rootSource": vocabulary}
    row |= {"groupId": "NONE", "attributeCount": 0, "classType": kind, "sourceUi": "NONE"}
    row |= {"relationLabel": label, "additionalRelationLabel": rela, "relatedId": CONTENT + related}
    return row | {"relatedIdName": name} | more


DISEASE, DRUG, ORGAN = ("T047", "Disease or Syndrome"), ("T121", "Pharmacologic Substance"), ("T023", "Body Part")
PNEUMONIA, LUNG, METFORMIN = "C0032285", "C0024109", "C0025598"
TABLE: dict[str, Concept] = {
    PNEUMONIA: Concept(
        "Pneumonia",
        [DISEASE],
        [("MSH", "Pneumonia"), ("SNOMEDCT_US", "Pneumonitis"), ("MSH", "pneumonia"), ("CHV", "lung inflammation")],
        [("MSH", "D011014"), ("SNOMEDCT_US", "233604007")],
        [
            ("MSH", "Infection of the lung often accompanied by inflammation."),
            ("NCI", "<p>An acute, acute &amp; subacute, or chronic inflammatory process of the lung.</p>"),
            ("MSHSPA", "Infección del pulmón."),
            ("MSH", "inflammation of any part of the lung"),
        ],
        [
            _relation("SIB", "", "MSH", "/source/MSH/D012141", "Respiratory Tract Infections"),
            _relation("CHD", "isa", "SNOMEDCT_US", "/source/SNOMEDCT_US/19829001", "Disorder of lung"),
            _relation("PAR", "inverse_isa", "SNOMEDCT_US", "/source/SNOMEDCT_US/53084003", "Bacterial pneumonia"),
            _relation("RO", "has_finding_site", "SNOMEDCT_US", "/source/SNOMEDCT_US/39607008", "Lung structure"),
            _relation("RO", "has_finding_site", "NCI", "/CUI/C0024109", "Lung"),
            _relation("RO", "may_be_treated_by", "MED-RT", "/CUI/C0002645", "Amoxicillin"),
            _relation("RO", "associated_with", "SNMI", "/AUI/A0484919", "Fever, NOS", classType="AtomRelation"),
            _relation("RO", "member_of", "MDR", "/source/MDR/20000231", "Infective pneumonia (SMQ)"),
            _relation("RO", "miembro_de", "MDRSPA", "/source/MDRSPA/20000231", "Neumonía infecciosa (SMQ)"),
            _relation("RO", "has_causative_agent", "SNOMEDCT_US", "/source/SNOMEDCT_US/9999", "Bacterium"),
            _relation("RN", "mapped_to", "SNOMEDCT_US", "/source/MSH/D011014", "Pneumonia"),
            _relation("XR", "", "MTH", "/CUI/C0015967", "Fever"),
            _relation("RO", "may_be_treated_by", "NDFRT", "/CUI/C0000001", "Withdrawn drug", obsolete=True),
        ],
    ),
    LUNG: Concept("Lung", [ORGAN], codes=[("SNOMEDCT_US", "39607008")]),
    "C0024115": Concept("Lung diseases", [DISEASE], codes=[("SNOMEDCT_US", "19829001")]),
    "C0004626": Concept("Pneumonia, Bacterial", [DISEASE], codes=[("SNOMEDCT_US", "53084003")]),
    "C0002645": Concept("amoxicillin", [("T195", "Antibiotic"), DRUG]),
    "C0015967": Concept("Fever", [("T184", "Sign or Symptom")]),
    "C0004611": Concept("Bacteria", [("T007", "Bacterium")], codes=[("SNOMEDCT_US", "9999")]),
    "C0995188": Concept("Superkingdom Bacteria", [("T007", "Bacterium")], codes=[("SNOMEDCT_US", "9999")]),
    METFORMIN: Concept(
        "metformin",
        [("T109", "Organic Chemical"), DRUG],
        [("RXNORM", "metformin"), ("MSH", "Metformin"), ("CHV", "glucophage")],
        [("RXNORM", "6809")],
        relations=[_relation("RO", "may_treat", "MED-RT", "/source/MSH/D003924", "Diabetes Mellitus, Type 2")],
    ),
    "C0011860": Concept("Diabetes Mellitus, Non-Insulin-Dependent", [DISEASE], codes=[("MSH", "D003924")]),
    "C0037384": Concept("Snoring", [("T184", "Sign or Symptom")]),
    **{f"C09000{n:02}": Concept(f"rare disease {n}", [DISEASE]) for n in range(60)},
}
ATOMS = {"A0484919": "C0015967"}


@dataclass
class UmlsService:
    """The service's answers; ``faults`` are given first, one a request, whatever is asked."""

    key: str = KEY
    faults: list[Reply] = field(default_factory=list)
    table: Mapping[str, Concept] = field(default_factory=lambda: TABLE)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Reply:
        """Answer as the service does."""
        with self._lock:
            if self.faults:
                return self.faults.pop(0)
        if request.query.get("apiKey") != [self.key]:
            return _refusal(401, "Unauthorized")
        match request.path.strip("/").split("/"):
            case ["rest", "search", "current" | "2024AA"]:
                return self._search({name: values[0] for name, values in request.query.items()})
            case ["rest", "content", "current" | "2024AA", "CUI", cui] if cui in self.table:
                return _json({"pageSize": 25, "pageNumber": 1, "pageCount": 1, "result": self._concept(cui)})
            case ["rest", "content", "current" | "2024AA", "CUI", cui, part] if cui in self.table:
                return _paged(self._part(cui, part), request)
            case ["rest", "content", "current" | "2024AA", "AUI", aui] if aui in ATOMS:
                return _json({"result": {"classType": "Atom", "ui": aui, "concept": f"{CONTENT}/CUI/{ATOMS[aui]}"}})
            case ["rest", "content", "current" | "2024AA", "source", "MDR", "20000231"]:
                code = {"classType": "SourceAtomCluster", "ui": "20000231", "rootSource": "MDR", "concepts": "NONE"}
                return _json({"result": code | {"name": "Infective pneumonia (SMQ)"}})
        return _refusal(404, "No results containing all your search terms were found.")

    def _search(self, query: Mapping[str, str]) -> Reply:
        if not (text := query.get("string", "").casefold()):
            return _refusal(400, "A search string is required.")
        sabs = {sab for sab in query.get("sabs", "").split(",") if sab}
        hits = [cui for cui, concept in self.table.items() if self._matches(concept, text, query, sabs)]
        size, number = int(query.get("pageSize", 25)), int(query.get("pageNumber", 1))
        results = [
            {"ui": cui, "rootSource": "MTH", "uri": f"{CONTENT}/CUI/{cui}", "name": self.table[cui].name}
            for cui in hits[(number - 1) * size : number * size]
        ] or [{"ui": "NONE", "name": "NO RESULTS"}]
        result = {"classType": "searchResults", "results": results, "recCount": len(hits)}
        return _json({"pageSize": size, "pageNumber": number, "result": result})

    def _matches(self, concept: Concept, text: str, query: Mapping[str, str], sabs: set[str]) -> bool:
        if query.get("inputType", "atom") != "atom":
            return any(code.casefold() == text and (not sabs or sab in sabs) for sab, code in concept.codes)
        names = [concept.name, *(name for sab, name in concept.atoms if not sabs or sab in sabs)]
        if query.get("searchType", "words") == "exact":
            return any(name.casefold() == text for name in names)
        return any(set(text.split()) <= set(name.casefold().split()) for name in names)

    def _concept(self, cui: str) -> dict[str, Any]:
        concept, here = self.table[cui], f"{CONTENT}/CUI/{cui}"
        network = f"{HOST}/semantic-network/{RELEASE}/TUI"
        return {
            "ui": cui,
            "name": concept.name,
            "classType": "Concept",
            "suppressible": False,
            "status": "R",
            "semanticTypes": [{"name": name, "uri": f"{network}/{tui}"} for tui, name in concept.types],
            "atoms": f"{here}/atoms",
            "definitions": f"{here}/definitions" if concept.definitions else "NONE",
            "relations": f"{here}/relations" if concept.relations else "NONE",
            "relationCount": len(concept.relations),
        }

    def _part(self, cui: str, part: str) -> Sequence[Mapping[str, Any]]:
        concept = self.table[cui]
        if part == "atoms":
            flags = {"classType": "Atom", "language": "ENG", "suppressible": "false", "obsolete": "false"}
            return [flags | {"ui": "A1", "rootSource": sab, "name": name} for sab, name in concept.atoms]
        if part == "definitions":
            kind = {"classType": "Definition", "sourceOriginated": True}
            return [kind | {"rootSource": sab, "value": text} for sab, text in concept.definitions]
        return concept.relations if part == "relations" else ()


def _paged(rows: Sequence[Mapping[str, Any]], request: Request) -> Reply:
    size, number = (
        int(request.query.get(name, [default])[0]) for name, default in (("pageSize", 25), ("pageNumber", 1))
    )
    page = rows[(number - 1) * size : number * size]
    if not page:
        return _refusal(404, "No results containing all your search terms were found.")
    return _json({"pageSize": size, "pageNumber": number, "pageCount": -(-len(rows) // size), "result": page})


def _json(value: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value).encode(), {"content-type": "application/json;charset=UTF-8"})


def _refusal(status: int, message: str) -> Reply:
    return _json({"name": "Error", "message": message, "status": status}, status)


@contextmanager
def serving_umls(
    *faults: Reply, key: str = KEY, table: Mapping[str, Concept] | None = None
) -> Iterator[tuple[Emulator, str]]:
    """The service while the block runs, with the address that a client is given; ``faults`` come first."""
    service = UmlsService(key, list(faults), TABLE if table is None else table)
    with serving(answer=service.answer) as server:
        yield server, f"{server.url}/rest"
