"""Rows of ``phenotype.hpoa``: which diseases have which phenotypic features, inheritance and course.

Format: https://obophenotype.github.io/human-phenotype-ontology/annotations/phenotype_hpoa/
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from core.errors import DataMissing

_COLUMNS = (
    "database_id",
    "disease_name",
    "qualifier",
    "hpo_id",
    "reference",
    "evidence",
    "onset",
    "frequency",
    "sex",
    "modifier",
    "aspect",
)


class Association(NamedTuple):
    """One row; ``aspect`` is P (feature), I (inheritance), C (course), H (medical history) or M (modifier)."""

    disease: str
    name: str
    qualifier: str
    term: str
    references: str
    evidence: str
    onset: str
    frequency: str
    sex: str
    modifier: str
    aspect: str


def read_hpoa(path: Path) -> tuple[dict[str, str], list[Association]]:
    """Return the comment header's fields and the rows; DataMissing where the columns are not the documented ones."""
    header: dict[str, str] = {}
    rows: list[Association] = []
    named = False
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("#"):
                key, _, value = line[1:].strip().partition(":")
                header[key] = value.strip()
                continue
            fields = line.rstrip("\r\n").split("\t")
            if named:
                if len(fields) >= len(_COLUMNS):
                    rows.append(Association(*fields[: len(_COLUMNS)]))
            elif tuple(fields[: len(_COLUMNS)]) == _COLUMNS:
                named = True
            else:
                break
    if not rows:
        raise DataMissing(f"{path} has not the columns of phenotype.hpoa: run `make setup` to install its wheel again")
    return header, rows
