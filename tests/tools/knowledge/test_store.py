from __future__ import annotations

import pytest

from core.errors import InputError
from tools.knowledge.store import KnowledgeStore


def test_an_id_is_a_cui_only_where_one_term_claims_it_alone(store: KnowledgeStore) -> None:
    ids = {curie: store.entry(curie).concept.id for curie in ("HP:0000010", "HP:0000011", "HP:0000012", "HP:0000013")}
    assert ids == {
        "HP:0000010": "HP:0000010",
        "HP:0000011": "C0000012",
        "HP:0000012": "HP:0000012",
        "HP:0000013": "HP:0000013",
    }


def test_a_concept_is_found_by_id_curie_and_alternative_id(store: KnowledgeStore) -> None:
    found = store.concept("HP:0000999")
    assert found is not None
    assert found.name == "Abnormal finger"
    assert store.concept("C0000012") == store.concept("HP:0000011")
    assert store.concept("HP:7654321") is None
    assert store.concept("UMLS:C0000013") is None, "a code that two concepts map to names neither"


def test_an_unknown_concept_is_refused_with_what_to_give(store: KnowledgeStore) -> None:
    with pytest.raises(InputError, match=r"HP:7654321.*give a CUI or a CURIE"):
        store.features("HP:7654321")


def test_obsolete_terms_are_left_out(store: KnowledgeStore) -> None:
    assert store.concept("HP:0000020") is None
    assert store.lookup("Old thing") == ()


def test_lookup_takes_names_of_every_kind_in_any_number(store: KnowledgeStore) -> None:
    for term in ("long fingers", "SPIDER FINGER", "LFG", "thin hands", "HP:0000011", "C0000012"):
        assert [concept.name for concept in store.lookup(term)] == ["Long finger"], term
    assert store.lookup("...") == ()


def test_one_disease_of_two_databases_is_one_concept(store: KnowledgeStore) -> None:
    assert store.entry("OMIM:1").curies == ("OMIM:1", "ORPHA:7")
    assert store.entry("ORPHA:8").concept.id == "OMIM:2", "an inverted name is the same name"
    assert store.entry("OMIM:3").concept != store.entry("OMIM:4").concept, "one database's distinction stays"


def test_names_keep_their_kinds(store: KnowledgeStore) -> None:
    kinds = {name.text: (name.kind, name.linked) for name in store.names("HP:0000011")}
    assert kinds == {
        "Long finger": ("preferred", True),
        "Spider finger": ("layperson", True),
        "LFG": ("abbreviation", True),
        "Thin hand": ("related", False),
    }


def test_definitions_are_unescaped_and_otherwise_unchanged(store: KnowledgeStore) -> None:
    assert store.definition("HP:0000010") == 'A change of a "finger".'
    assert store.definition("HP:0000012") is None


def test_the_hierarchy_is_walked_both_ways(store: KnowledgeStore) -> None:
    assert [c.name for c in store.parents("HP:0000011")] == ["Abnormal finger"]
    assert [c.name for c in store.ancestors("HP:0000011")] == ["Abnormal finger", "Phenotypic abnormality", "All"]
    assert [c.name for c in store.children("HP:0000010")] == ["Long finger"]


def test_features_carry_frequency_references_and_exclusion(store: KnowledgeStore) -> None:
    counted, classed, excluded = store.features("OMIM:1")
    assert counted.frequency is not None
    assert (counted.frequency.count, counted.frequency.total, counted.frequency.label) == (119, 251, "frequent")
    assert counted.references == ("PMID:1", "PMID:2")
    assert classed.frequency is not None
    assert (classed.frequency.label, classed.origin) == ("very frequent", "ORPHA:7")
    assert excluded.excluded
    assert excluded.feature.concept.name == "Sinusitis"


def test_a_count_of_none_excludes(store: KnowledgeStore) -> None:
    assert [a.excluded for a in store.features("OMIM:4")] == [True]


def test_a_pair_follows_kinds_of_the_feature_down_and_exclusions_up(store: KnowledgeStore) -> None:
    general = store.pair("HP:0000010", "OMIM:1")
    assert not general.direct
    assert {a.feature.concept.name for a in general.specific} == {"Long finger"}
    specific = store.pair("HP:0000011", "OMIM:3")
    assert [a.feature.concept.name for a in specific.excluding] == ["Abnormal finger"]
    assert not store.pair("HP:0000013", "OMIM:1").recorded


def test_triples_relate_the_linked_concepts_first(store: KnowledgeStore) -> None:
    asked = ["OMIM:1", "HP:0000011", "HP:0000012", "HP:0000118"]
    assert [str(triple) for triple in store.triples(asked)][:4] == [
        "[Long finger, phenotype of, Marlow syndrome]",
        "[Sinusitis, excluded in, Marlow syndrome]",
        "[Long finger, is a, Phenotypic abnormality]",
        "[Sinusitis, is a, Phenotypic abnormality]",
    ]


def test_vocabularies_are_acknowledged_with_their_version(store: KnowledgeStore) -> None:
    (vocabulary,) = store.vocabularies()
    assert vocabulary.name == "Human Phenotype Ontology"
    assert vocabulary.version == "2020-02-02"
    assert "2020-02-02" in vocabulary.acknowledgement
    assert "hpo.jax.org" in vocabulary.licence
