from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tools.knowledge.umls.conftest import Import, Rows
from tests.tools.knowledge.umls.meta import DIABETES, FINGER, PREFERRED, TYPE_2, conso, sty, write_meta
from tools.knowledge.linking.linker import Linker
from tools.knowledge.progress import Progress
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.umls.rows import CUIS
from tools.knowledge.values import IS_A, Vocabulary
from tools.knowledge.vocabularies.hpo import HpoLoader
from tools.knowledge.vocabularies.records import Loaded, Record, Relation


class Given:
    """An open vocabulary of these records."""

    def __init__(self, id_: str, records: list[Record], relations: list[Relation] | None = None) -> None:
        self.id, self.records, self.relations = id_, records, relations or []

    def fingerprint(self) -> str:
        return f"{self.id} {len(self.records)}"

    def read(self, progress: Progress) -> Loaded:
        return Loaded(Vocabulary(self.id, self.id, "1", None, "free", "", ""), self.records, self.relations)


def record(curie: str, *names: str, cui: str = "", types: tuple[str, ...] = ("T047",)) -> Record:
    kinds = ["preferred"] + ["exact"] * (len(names) - 1)
    same = (f"UMLS:{cui}",) if cui else ()
    return Record((curie,), list(zip(names, kinds, strict=True)), names[0], same=same, types=types)


@pytest.fixture
def merged(run: Import, meta: Path, home: Path) -> Iterator[Callable[..., KnowledgeStore]]:
    stores: list[KnowledgeStore] = []

    def open_merged(*loaders: Given | HpoLoader) -> KnowledgeStore:
        run(meta, loaders=loaders)
        stores.append(KnowledgeStore.open(home, loaders=loaders))
        return stores[-1]

    yield open_merged
    for store in stores:
        store.close()


def test_a_term_and_the_code_of_it_are_one_concept_with_the_cui(
    merged: Callable[..., KnowledgeStore], loader: HpoLoader
) -> None:
    store = merged(loader)
    concept = store.concept("HP:0000011")
    assert concept is not None
    assert (concept.id, concept.name, concept.derived) == (FINGER, "Arachnodactyly", False)
    assert concept.types == ("Congenital Abnormality",)
    assert [name.text for name in store.names(FINGER)] == [
        "Arachnodactyly", "Long finger", "Spider finger", "LFG", "Thin hand"
    ]  # fmt: skip
    assert [m.concept.id for m in Linker(store).link("Spider finger, arachnodactyly")] == [FINGER, FINGER]
    assert store.diseases(FINGER)[0].feature.concept == concept
    assert concept.xrefs == ("MESH:D054119", "HP:0000011", "UMLS:C0000012")


def test_an_id_of_medgen_is_no_cui(merged: Callable[..., KnowledgeStore]) -> None:
    store = merged(Given("MONDO", [record("MONDO:0000009", "medgen disease", cui="CN029449")]))
    assert store.entry("MONDO:0000009").concept.name == "medgen disease"


def test_what_the_umls_lacks_stays_an_open_concept(merged: Callable[..., KnowledgeStore], loader: HpoLoader) -> None:
    concept = merged(loader).concept("HP:0000118")
    assert concept is not None
    assert concept.id == "HP:0000118"


def test_mesh_codes_and_cuis_lead_to_the_concept(merged: Callable[..., KnowledgeStore]) -> None:
    mesh = Given("MeSH", [record("MESH:D003924", "Diabetes, Type II")])
    mondo = Given("MONDO", [record("MONDO:0005015", "diabetes condition", cui=DIABETES)])
    store = merged(mesh, mondo)
    assert {name.text for name in store.names(TYPE_2)} >= {"Diabetes, Type II", "NIDDM"}
    assert store.entry("MONDO:0005015").concept.id == DIABETES
    assert store.entry("MONDO:0005015").curies == ("MESH:D003920", "SNOMEDCT_US:73211009", "MONDO:0005015")


def test_two_terms_of_one_vocabulary_stay_two_concepts(run: Import, tmp_path: Path, home: Path, rows: Rows) -> None:
    names = [
        conso("C0000500", "Wide thumb", "HPO", "PT", "HP:0000500", status=PREFERRED),
        conso("C0000500", "Broad thumb", "HPO", "PT", "HP:0000501"),
    ]
    meta = write_meta(tmp_path, names, types=[sty("C0000500", "T033")], relations=[], definitions=[])
    terms = [
        record("HP:0000500", "Wide thumb", cui="C0000500"),
        record("HP:0000501", "Broad thumb", cui="C0000500"),
        record("HP:0000502", "Thumb, broad, very", cui="C0000500"),
    ]
    given = Given("HPO", terms, [Relation("HP:0000501", IS_A, "HP:0000500")])
    run(meta, loaders=[given])
    assert rows("SELECT id FROM concepts ORDER BY key") == [("C0000500",), ("HP:0000501",), ("HP:0000502",)]
    store = KnowledgeStore.open(home, loaders=[given])
    assert store.entry("HP:0000501").concept.id == "HP:0000501"
    assert [parent.id for parent in store.parents("HP:0000501")] == ["C0000500"]
    store.close()


def test_who_names_a_cui_yields_to_the_term_of_its_vocabulary_that_the_umls_has_there(
    merged: Callable[..., KnowledgeStore],
) -> None:
    terms = [record("HP:0000900", "Hacking", cui="C0000012"), record("HP:0000011", "Long finger")]
    store = merged(Given("HPO", terms))
    assert store.entry("HP:0000900").concept.id == "HP:0000900"
    assert store.entry("HP:0000011").concept.id == FINGER


def test_a_term_of_another_vocabulary_may_name_that_cui_too(merged: Callable[..., KnowledgeStore]) -> None:
    doid = Given("DOID", [record("DOID:9", "finger disease", cui="C0000012")])
    store = merged(doid, Given("HPO", [record("HP:0000011", "Long finger")]))
    assert store.entry("HP:0000011").concept.id == store.entry("DOID:9").concept.id == FINGER


def test_nothing_is_said_twice(merged: Callable[..., KnowledgeStore], rows: Rows, loader: HpoLoader) -> None:
    merged(loader)
    for table, columns in (("xrefs", "concept, curie"), ("names", "concept, lower(name)")):
        assert (
            rows(f"SELECT {columns} FROM {table} WHERE concept < {CUIS} GROUP BY {columns} HAVING COUNT(*) > 1") == []
        )
    assert rows("SELECT COUNT(*) FROM names WHERE kind = 'preferred' GROUP BY concept HAVING COUNT(*) > 1") == []


def test_the_open_vocabulary_of_the_same_name_keeps_its_licence(
    merged: Callable[..., KnowledgeStore], loader: HpoLoader
) -> None:
    found = {vocabulary.id: vocabulary for vocabulary in merged(loader).vocabularies()}
    assert found["HPO"].version == "2020-02-02"
