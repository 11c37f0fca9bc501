"""Names of drugs: from a dictionary of plain values, to the concepts of MeSH."""

from __future__ import annotations

import bz2
import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest

from core.errors import DataMissing
from core.language import sentences
from core.source import SourceQuery
from tools.knowledge import KnowledgeSource, KnowledgeStore, Linker
from tools.knowledge.facts import medicines
from tools.knowledge.progress import silent
from tools.knowledge.vocabularies.drugs import DrugNamesLoader
from tools.knowledge.vocabularies.mesh import MeshLoader

# Their MeSH ids are of classes of drugs, as in the wheel.
GENERICS = {
    "valacyclovir": {"name": "Valacyclovir", "medline_plus_id": "a695010", "mesh_id": "D000998"},
    "buprenorphine patch": {"name": "Buprenorphine Patch", "medline_plus_id": "a613042"},
    "lumacaftor and ivacaftor": {
        "name": "Lumacaftor and Ivacaftor",
        "medline_plus_id": "a615037",
        "nhs_url": "https://nhswebsite-dev.nhs.ukhttps://api.nhs.uk/medicines/lumacaftor/",
    },
    "actin": {"name": "Actin", "mesh_id": "D000199"},
}
NAMES = {
    "valacyclovir": ["valacyclovir"],
    "valtrex": ["valacyclovir"],
    "focus": ["valacyclovir"],
    "va1": ["valacyclovir"],
    "butrans": ["buprenorphine patch"],
    "orkambi": ["lumacaftor and ivacaftor"],
    "both": ["valacyclovir", "buprenorphine patch"],
    "alpha actin": ["actin"],
}


@pytest.fixture
def mesh(tmp_path: Path) -> MeshLoader:
    for name, lines in (
        ("mesh_id_label_mappings.tsv", ["D000077483\tValacyclovir\tVACV\tD02.1", "D002047\tBuprenorphine\t\tD03.1"]),
        ("mesh_supp_id_label_mappings.tsv", []),
        ("mesh_mappings.tsv", []),
    ):
        (tmp_path / name).write_text("\n".join(lines))
    return MeshLoader(tmp_path)


def written(folder: Path, value: Any) -> tuple[Path, str]:
    path = folder / "drugs.pkl.bz2"
    path.write_bytes(bz2.compress(pickle.dumps(value)))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def loader(tmp_path: Path, mesh: MeshLoader) -> DrugNamesLoader:
    path, digest = written(tmp_path, {"drug_canonical_to_data": GENERICS, "drug_variant_to_canonical": NAMES})
    return DrugNamesLoader(path, mesh, digest)


def test_a_name_is_of_the_concept_that_mesh_calls_by_the_generic_name(loader: DrugNamesLoader) -> None:
    records = {record.same: record for record in loader.read(silent).records}
    assert [name for name, _ in records["MESH:D000077483",].names] == ["valtrex"]
    assert [name for name, _ in records["MESH:D002047",].names] == ["butrans"]
    assert [name for name, _ in records[()].names] == ["lumacaftor and ivacaftor", "orkambi"]
    assert records[()].curies == ("MEDLINEPLUS:a615037", "NHS:lumacaftor")


def test_the_linker_finds_trade_names_and_their_pages(
    loader: DrugNamesLoader, mesh: MeshLoader, tmp_path: Path
) -> None:
    store = KnowledgeStore.open(tmp_path / "home", loaders=(mesh, loader))
    first, second = Linker(store).link("Can I take Valtrex with Orkambi? Both need focus.")
    assert (first.concept.id, first.concept.name) == ("MESH:D000077483", "Valacyclovir")
    assert "MEDLINEPLUS:a695010" in first.concept.xrefs
    assert second.concept.name == "lumacaftor and ivacaftor"
    assert "MIT" in {vocabulary.id: vocabulary.licence for vocabulary in store.vocabularies()}["DrugNames"]


def test_a_file_that_is_another_is_not_read(loader: DrugNamesLoader, mesh: MeshLoader, tmp_path: Path) -> None:
    other = DrugNamesLoader(tmp_path / "drugs.pkl.bz2", mesh, "0" * 64)
    with pytest.raises(DataMissing, match="not the one expected"):
        other.read(silent)


def test_a_pickle_builds_nothing_but_plain_values(mesh: MeshLoader, tmp_path: Path) -> None:
    path, digest = written(tmp_path, {"drug_canonical_to_data": tmp_path})
    with pytest.raises(DataMissing, match="asks for pathlib"):
        DrugNamesLoader(path, mesh, digest).read(silent)


@pytest.mark.parametrize("name", ["Valtrex", "Wellbutrin", "Tylenol", "Ambien", "Ozempic", "Eliquis", "Plavix"])
def test_names_of_the_wheel_are_found(model_home: Path, name: str) -> None:
    (found,) = Linker(KnowledgeStore.open(model_home)).link(f"is {name} safe")
    assert found.concept.group == "CHEM"
    assert any(curie.startswith("MEDLINEPLUS:") for curie in found.concept.xrefs)


@pytest.mark.parametrize(
    ("question", "use", "name"),
    [
        ("What is Valtrex?", "Valacyclovir is a medicine that acts against viruses, according to ChEBI.", "Valtrex"),
        ("What is benzonatate?", "Benzonatate is a medicine that acts against cough, according to ChEBI.", "Tessalon"),
        ("is advil safe", "Ibuprofen is a medicine that acts against pain and inflammation and fever", "Advil"),
        ("What is Tylenol?", "Acetaminophen (paracetamol) is a medicine that acts against pain and", "Panadol"),
        ("whats singulair for", "Montelukast is a medicine that acts against asthma, according to ChEBI.", "Singulair"),
    ],
)
def test_a_medicine_is_told_by_what_it_acts_against_and_its_names(
    model_home: Path, question: str, use: str, name: str
) -> None:
    store = KnowledgeStore.open(model_home)
    found = KnowledgeSource(store, Linker(store)).find(SourceQuery(queries=(question,)))
    (told,) = (e for e in found if e.id.endswith("#medicine"))
    uses, names = sentences(told.text)
    assert uses.text.startswith(use)
    assert names.text.startswith(f"{use.split()[0]} is also known as ")
    assert name in names.text
    assert not any(salt in names.text.lower() for salt in ("sodium", "valacyclovir h", "ibuprofeno"))


@pytest.mark.parametrize(
    ("name", "use", "not_told"), [("omeprazole", "ulcers", "seizures"), ("lipitor", "cholesterol", "x")]
)
def test_what_a_medicine_is_a_kind_of_tells_its_use_and_what_no_label_gives_is_left_out(
    model_home: Path, name: str, use: str, not_told: str
) -> None:
    told = _told(model_home, name, "#medicine")
    assert use in told
    assert f" {not_told} " not in told


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Lexapro", ["antidepressants"]),
        ("Augmentin", ["antibiotics"]),
        ("prednisone", ["steroids"]),
        ("hydrochlorothiazide", ["blood pressure medicines"]),
        ("atomoxetine", []),  # ChEBI has it for an antidepressant; nobody takes it for one
        ("magnesium", []),
    ],
)
def test_a_medicine_is_of_the_kinds_that_people_call_it_by(model_home: Path, name: str, kinds: list[str]) -> None:
    store = KnowledgeStore.open(model_home)
    linker = Linker(store)
    (mention, *_) = linker.link(name)
    assert KnowledgeSource(store, linker).kinds(mention.concept) == kinds


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "Advair",
            "Airduo and Advair are names of a medicine that combines fluticasone and salmeterol, according to "
            "DrugNames. Fluticasone is a medicine that acts against asthma",
        ),
        ("Trikafta", "a name of a medicine that combines elexacaftor, tezacaftor and ivacaftor"),
        ("Malarone", "Proguanil is a medicine that acts against parasites and malaria, according to ChEBI."),
    ],
)
def test_a_medicine_that_combines_several_is_told_by_each(model_home: Path, name: str, told: str) -> None:
    assert told in _told(model_home, name, "#medicine")


@pytest.mark.parametrize(("name", "not_told"), [("Nuedexta", "cough"), ("Contrave", "depression")])
def test_of_a_part_is_not_told_what_the_whole_is_not_for(model_home: Path, name: str, not_told: str) -> None:
    told = _told(model_home, name, "#medicine")
    assert told.startswith(f"{name} is a name of a medicine that combines ")
    assert not_told not in told


def test_only_uses_that_are_told_are_left_out() -> None:
    read = medicines()
    assert {use for left_out in read.not_against.values() for use in left_out} <= set(read.against.values())


def test_what_is_no_medicine_is_not_told_as_one(model_home: Path) -> None:
    store = KnowledgeStore.open(model_home)
    found = KnowledgeSource(store, Linker(store)).find(SourceQuery(queries=("What is cholesterol?",)))
    assert found
    assert not any(e.id.endswith("#medicine") for e in found)


def test_a_name_of_other_products_is_not_told_as_a_medicine_s(model_home: Path) -> None:
    store = KnowledgeStore.open(model_home)
    for name, sold, other in (("loperamide", "Imodium", "Maalox"), ("loratadine", "Claritin", "Dimetapp")):
        found = KnowledgeSource(store, Linker(store)).find(SourceQuery(queries=(f"What is {name}?",)))
        (told,) = (e.text for e in found if e.id.endswith("#medicine"))
        assert sold in told
        assert other not in told


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("amoxicillin", "Amoxicillin is one of the penicillins and the antibiotics, according to ChEBI."),
        ("naproxen", "Naproxen is one of the nonsteroidal anti-inflammatory drugs (NSAIDs)"),
        ("lisinopril", "Lisinopril is one of the ACE inhibitors"),
    ],
)
def test_a_medicine_is_told_by_its_classes(model_home: Path, name: str, classes: str) -> None:
    assert classes in _told(model_home, name, "#class")


@pytest.mark.parametrize(
    ("name", "not_told"), [("tylenol", "NSAID"), ("olanzapine", "benzodiazepine"), ("gabapentin", "calcium")]
)
def test_of_no_class_that_no_drug_reference_counts_it_to(model_home: Path, name: str, not_told: str) -> None:
    assert not_told not in _told(model_home, name, "#class")


def _told(home: Path, name: str, of: str) -> str:
    store = KnowledgeStore.open(home)
    found = KnowledgeSource(store, Linker(store)).find(SourceQuery(queries=(f"What is {name}?",)))
    return next(e.text for e in found if e.id.endswith(of))
