"""A handful of concepts as the tables of a release, written row by row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

DIABETES, TYPE_2, METFORMIN, COUGH, NO_COUGH, ABSENT, LUNG, FINGER = (
    "C0011849", "C0011860", "C0025598", "C0010200", "C4000001", "C0332197", "C0024109", "C0000012",
)  # fmt: skip


def conso(
    cui: str, text: str, sab: str = "MTH", tty: str = "PN", code: str = "NOCODE", *, lat: str = "ENG",
    status: str = "S|VO|N", suppress: str = "N",
) -> str:  # fmt: skip
    """Return a row of MRCONSO; ``status`` is TS|STT|ISPREF, P|PF|Y for the preferred name."""
    ts, stt, ispref = status.split("|")
    return f"{cui}|{lat}|{ts}|L1|{stt}|S1|{ispref}|A1||||{sab}|{tty}|{code}|{text}|0|{suppress}||"


def rel(first: str, label: str, second: str, said: str = "", sab: str = "SNOMEDCT_US", suppress: str = "N") -> str:
    """Return a row of MRREL: the second concept's relation to the first."""
    return f"{first}|A1|AUI|{label}|{second}|A2|AUI|{said}|R1||{sab}|{sab}|||{suppress}||"


def sty(cui: str, tui: str) -> str:
    return f"{cui}|{tui}|A1|a type|AT1||"


def definition(cui: str, sab: str, text: str, suppress: str = "N") -> str:
    return f"{cui}|A1|AT1||{sab}|{text}|{suppress}||"


PREFERRED = "P|PF|Y"
NAMES = [
    conso(DIABETES, "Diabetes Mellitus", "MSH", "MH", "D003920", status=PREFERRED),
    conso(DIABETES, "diabetes mellitus", "CHV", "SY", "0000003834"),
    conso(DIABETES, "Diabetes mellitus (disorder)", "SNOMEDCT_US", "FN", "73211009"),
    conso(DIABETES, "Diabetes mellitus", "SNOMEDCT_US", "PT", "73211009"),
    conso(DIABETES, "Sugar sickness", "CHV", "SY", "0000003834"),
    conso(DIABETES, "Diabetes mellitus NOS", "SNOMEDCT_US", "OAP", "73211009"),
    conso(DIABETES, "Diabetes hidden", "MSH", "ET", "D003920", suppress="Y"),
    conso(DIABETES, "Diabetes azucarada", "MSHSPA", "MH", "D003920", lat="SPA", status=PREFERRED),
    conso(TYPE_2, "Diabetes Mellitus, Type 2", "MSH", "MH", "D003924", status="S|PF|Y"),
    conso(TYPE_2, "Diabetes Mellitus, Non-Insulin-Dependent", "MSH", "ET", "D003924", status=PREFERRED),
    conso(TYPE_2, "NIDDM", "NCI", "AB", "C26747"),
    conso(TYPE_2, "Adult-Onset Diabetes", "MSH", "ET", "D003920"),
    conso(METFORMIN, "metformin", "RXNORM", "IN", "6809", status=PREFERRED),
    conso(COUGH, "Cough", "SNOMEDCT_US", "PT", "49727002", status=PREFERRED),
    conso(COUGH, "Coughing", "HPO", "SY", "HP:0012735"),
    conso(NO_COUGH, "No cough", "SNOMEDCT_US", "PT", "162297003", status=PREFERRED),
    conso(ABSENT, "Known absent", "SNOMEDCT_US", "PT", "410516002", status=PREFERRED),
    conso(LUNG, "Lung", "FMA", "PT", "7195", status=PREFERRED),
    conso(FINGER, "Arachnodactyly", "MSH", "MH", "D054119", status=PREFERRED),
    conso(FINGER, "Long finger", "HPO", "PT", "HP:0000011"),
    conso("C9999999", "MeSH 2024", "SRC", "VPT", "V-MSH", status=PREFERRED),
]
TYPES = [
    sty(DIABETES, "T047"), sty(TYPE_2, "T047"), sty(METFORMIN, "T109"), sty(METFORMIN, "T121"), sty(COUGH, "T184"),
    sty(NO_COUGH, "T033"), sty(ABSENT, "T080"), sty(LUNG, "T023"), sty(FINGER, "T019"), sty("C7777777", "T047"),
]  # fmt: skip
DEFINITIONS = [
    definition(DIABETES, "MSH", "A group of disorders with <b>high</b> blood sugar &amp; more."),
    definition(DIABETES, "MSHSPA", "Un grupo de trastornos."),
    definition(DIABETES, "MSH", "Withdrawn.", "O"),
    definition("C7777777", "MSH", "Of no name."),
]
RELATIONS = [
    rel(DIABETES, "CHD", TYPE_2, "isa"),
    rel(TYPE_2, "PAR", DIABETES, "inverse_isa"),
    rel(DIABETES, "CHD", TYPE_2, sab="MSH"),
    rel(TYPE_2, "PAR", DIABETES, sab="MSH"),
    rel(TYPE_2, "RO", METFORMIN, "may_treat", "NCI"),
    rel(METFORMIN, "RO", TYPE_2, "may_be_treated_by", "NCI"),
]


def write_meta(
    folder: Path,
    names: Sequence[str] = NAMES,
    relations: Sequence[str] = RELATIONS,
    types: Sequence[str] = TYPES,
    definitions: Sequence[str] = DEFINITIONS,
) -> Path:
    """Write the tables of a release named 2024AB by its folder; return its META folder."""
    meta = folder / "2024AB" / "META"
    meta.mkdir(parents=True, exist_ok=True)
    tables = {"MRCONSO": names, "MRREL": relations, "MRSTY": types, "MRDEF": definitions}
    for table, rows in tables.items():
        meta.joinpath(f"{table}.RRF").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return meta
