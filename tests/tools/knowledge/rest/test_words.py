"""What relations are called, what addresses point at, and what vocabularies are named."""

from __future__ import annotations

import pytest

from tools.knowledge.rest.labels import rank, said, verb
from tools.knowledge.rest.references import Reference, identified, pointed_at
from tools.knowledge.rest.vocabularies import is_translation, vocabulary_name


@pytest.mark.parametrize(
    ("additional", "expected"),
    [
        ("has_finding_site", "has the finding site"),
        ("finding_site_of", "is a finding site of"),
        ("ingredient_of", "is an ingredient of"),
        ("may_treat", "may treat"),
        ("may_be_prevented_by", "may be prevented by"),
        ("causes", "causes"),
        ("negatively_regulates", "negatively regulates"),
        ("occurs_in", "occurs in"),
        ("due_to", "is due to"),
        ("clinically_associated_with", "is clinically associated with"),
        ("contraindicated_with_disease", "is contraindicated with disease"),
        ("composed_of", "is composed of"),
        ("disease_has_associated_anatomic_site", "has the associated anatomic site"),
        ("disease_may_have_finding", "may have finding"),
        ("is_finding_of_disease", "is finding of disease"),
        ("isa", "is a kind of"),
        ("consider_from", "is related (consider from) to"),
    ],
)
def test_a_label_becomes_a_verb(additional: str, expected: str) -> None:
    words, _ = said("RO", additional)
    assert verb(words) == expected


def test_what_a_vocabulary_has_below_another_is_narrower() -> None:
    assert verb(said("RN", "")[0]) == "is narrower than"


@pytest.mark.parametrize(
    ("label", "additional", "expected"),
    [
        ("CHD", "isa", ("is a", False)),
        ("PAR", "inverse_isa", ("is a", True)),
        ("CHD", "", ("narrower than", False)),
        ("PAR", "", ("narrower than", True)),
        ("RO", "", ("is related to", False)),
        ("ZZ", "", ("is related to", False)),
        ("RB", "has_form", ("has form", False)),
    ],
)
def test_a_label_has_words_and_a_direction(label: str, additional: str, expected: tuple[str, bool]) -> None:
    assert said(label, additional) == expected


def test_what_tells_most_comes_first_and_what_relates_nothing_not_at_all() -> None:
    labels = [("RO", "may_treat"), ("CHD", "isa"), ("RO", ""), ("RN", "mapped_to"), ("SIB", "")]
    assert [rank(*label) for label in labels] == [0, 1, 2, 3, 4]
    assert rank("XR", "") is None


BASE = "https://uts-ws.nlm.nih.gov/rest/content/2024AA"


@pytest.mark.parametrize(
    ("address", "expected", "identifier"),
    [
        (f"{BASE}/CUI/C0011849", Reference("C0011849"), "C0011849"),
        (f"{BASE}/AUI/A0704559", Reference("A0704559"), "AUI:A0704559"),
        (f"{BASE}/source/SNOMEDCT_US/64572001", Reference("64572001", "SNOMEDCT_US"), "SNOMEDCT_US:64572001"),
        (f"{BASE}/source/MSH/D003920", Reference("D003920", "MSH"), "MESH:D003920"),
        (f"{BASE}/source/HPO/HP:0002013", Reference("HP:0002013", "HPO"), "HP:0002013"),
        (f"{BASE}/source/ICD10CM/E10-E14.9", Reference("E10-E14.9", "ICD10CM"), "ICD10CM:E10-E14.9"),
        (f"{BASE}/source/MED-RT/N%2F1/", Reference("N/1", "MED-RT"), "MED-RT:N/1"),
        ("C0011849", Reference("C0011849"), "C0011849"),
    ],
)
def test_an_address_points_at_a_concept_an_atom_or_a_code(address: str, expected: Reference, identifier: str) -> None:
    assert pointed_at(address) == expected
    assert expected.identifier == identifier
    if "/AUI/" not in address:
        assert identified(identifier) == expected


@pytest.mark.parametrize("address", ["", "NONE", BASE, f"{BASE}/TUI/T047", "https://[", "/CUI/X1"])
def test_other_addresses_point_at_nothing(address: str) -> None:
    assert pointed_at(address) is None


@pytest.mark.parametrize(
    "text", ["", "pneumonia", "C12", "UMLS:pneumonia", "a b:c", "X:", ":1", "type 2: diabetes", "c1:\n"]
)
def test_a_term_is_no_identifier(text: str) -> None:
    assert identified(text) is None


def test_vocabularies_have_names_and_translations_are_known() -> None:
    assert vocabulary_name("MSH") == "Medical Subject Headings"
    assert vocabulary_name("NEWSAB") == "NEWSAB"
    assert all(map(is_translation, ["MDRSPA", "MSHGER", "SCTSPA", "LNC-DE-DE", "MEDLINEPLUS_SPA"]))
    assert not any(map(is_translation, ["MDR", "MSH", "LNC", "SNOMEDCT_US", "MED-RT", "MEDLINEPLUS", "NCI"]))
