"""Which records are one concept: a chemical and what MeSH calls it by another name."""

from __future__ import annotations

import pytest

from tools.knowledge.vocabularies.merge import merge
from tools.knowledge.vocabularies.records import Record

CHEMICAL, ROLE, DISEASE = "T103", "T120", "T047"


def record(curie: str, *names: str, type_: str = CHEMICAL, same: tuple[str, ...] = ()) -> Record:
    """A record of these names, the first preferred."""
    kinds = [(name, "exact" if n else "preferred") for n, name in enumerate(names)]
    return Record(curies=(curie,), names=kinds, inline=names[0], same=same, types=(type_,))


PARACETAMOL = record("CHEBI:46195", "paracetamol")
ACETAMINOPHEN = record("MESH:D000082", "Acetaminophen", "Paracetamol", "p-Acetamidophenol")
MONTELUKAST = record("MESH:C093875", "montelukast")
PAGE = record("NHS:montelukast", "montelukast", same=("MESH:C093875",))


def test_a_chemical_is_what_mesh_has_among_its_entry_terms() -> None:
    assert merge([ACETAMINOPHEN, PARACETAMOL]) == [[0, 1]]


def test_a_chemical_is_a_supplementary_record_that_others_name() -> None:
    assert merge([MONTELUKAST, record("CHEBI:50730", "montelukast"), PAGE]) == [[0, 1, 2]]


def test_a_preferred_name_of_both_comes_first() -> None:
    preferred = record("CHEBI:2", "acetaminophen")

    assert merge([ACETAMINOPHEN, PARACETAMOL, preferred]) == [[0, 2], [1]]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(record("MESH:D000082", "Paracetaldol", "Paracetaldol Hydrate"), id="a hydrate is another thing"),
        pytest.param(record("MESH:D1", "Poisoning", "Paracetamol", type_=DISEASE), id="a disease is no chemical"),
    ],
)
def test_what_is_of_another_kind_stays_apart(other: Record) -> None:
    assert merge([other, PARACETAMOL, record("CHEBI:3", "paracetaldol hydrate")]) == [[0], [1], [2]]


def test_a_role_is_no_chemical() -> None:
    assert merge([ACETAMINOPHEN, record("CHEBI:4", "paracetamol", type_=ROLE)]) == [[0], [1]]


def test_a_name_that_two_records_have_joins_neither() -> None:
    assert merge([ACETAMINOPHEN, record("MESH:D2", "Panadol Extra", "Paracetamol"), PARACETAMOL]) == [[0], [1], [2]]


def test_of_two_chemicals_that_one_record_names_neither_is_it() -> None:
    tretinoin = record("MESH:D014212", "Tretinoin", "Retinoic Acid", "all-trans-Retinoic Acid")
    chemicals = [record("CHEBI:26536", "retinoic acid"), record("CHEBI:15367", "all-trans-retinoic acid")]

    assert merge([tretinoin, *chemicals]) == [[0], [1], [2]]
