from __future__ import annotations

import sqlite3

import pytest

from core.errors import SourceError
from core.language import sentences
from core.schema import Evidence
from core.source import SourceQuery
from tools.knowledge.linking.linker import Linker
from tools.knowledge.source import KnowledgeSource
from tools.knowledge.store import KnowledgeStore


async def ask(source: KnowledgeSource, question: str, limit: int = 30) -> dict[str, Evidence]:
    found = await source.search(SourceQuery(queries=(question,), limit=limit))
    assert [e.score for e in found] == sorted((e.score for e in found), reverse=True)
    return {evidence.id: evidence for evidence in found}


async def test_features_of_a_disease_come_by_frequency(source: KnowledgeSource) -> None:
    found = await ask(source, "What are the features of Marlow syndrome?")
    first = next(iter(found.values()))
    assert first.id == "knowledge:OMIM:1#features"
    assert first.text == "A frequent feature of Marlow syndrome is long finger."
    assert first.title == "Marlow syndrome: features"
    assert first.url == "https://hpo.jax.org/browse/disease/OMIM:1"
    assert (first.source, first.owner, first.version) == ("knowledge", "Human Phenotype Ontology", "2020-02-02")
    assert first.about == ("OMIM:1", "ORPHA:7")
    assert not first.certified


async def test_a_pair_is_one_precise_fact_from_each_database(source: KnowledgeSource) -> None:
    found = await ask(source, "Does a long finger belong to Marlow syndrome?")
    assert next(iter(found)) == "knowledge:OMIM:1#HP:0000011"
    assert found["knowledge:OMIM:1#HP:0000011"].text == (
        "Long finger is a frequent feature of Marlow syndrome, found in 119 of 251 individuals, according to OMIM "
        "(OMIM:1), citing PMID:1 and PMID:2. Long finger is a very frequent feature of Marlow syndrome, "
        "80 to 99% of cases, according to Orphanet (ORPHA:7)."
    )
    assert set(found["knowledge:OMIM:1#HP:0000011"].about) == {"C0000012", "HP:0000011", "OMIM:1", "ORPHA:7"}


async def test_an_exclusion_is_said_as_one(source: KnowledgeSource) -> None:
    found = await ask(source, "Is sinusitis a feature of Marlow syndrome?")
    assert found["knowledge:OMIM:1#HP:0000012"].text == (
        "Sinusitis is recorded as not present in Marlow syndrome, according to OMIM (OMIM:1), citing PMID:1."
    )
    assert "sinusitis" not in found["knowledge:OMIM:1#features"].text.lower()
    assert found["knowledge:OMIM:1#excluded"].text == "Recorded as not present in Marlow syndrome is sinusitis."


async def test_what_follows_from_the_hierarchy_says_how(source: KnowledgeSource) -> None:
    found = await ask(source, "Is an abnormal finger a feature of Marlow syndrome?")
    assert found["knowledge:OMIM:1#HP:0000010"].text == (
        "Abnormal finger is a feature of Marlow syndrome in the more specific form of long finger (frequent)."
    )
    found = await ask(source, "Is a long finger a feature of Twin disease?")
    assert found["knowledge:OMIM:3#HP:0000011"].text == (
        "Long finger is recorded as not present in Twin disease, because it is a kind of abnormal finger, "
        "which is recorded as not present."
    )


async def test_nothing_is_said_of_a_pair_that_is_not_recorded(source: KnowledgeSource) -> None:
    found = await ask(source, "Is a cloudy lens a feature of Marlow syndrome?")
    assert "knowledge:OMIM:1#HP:0000013" not in found
    assert all("Marlow" not in e.text or "loudy" not in e.text for e in found.values())


async def test_a_term_is_defined_in_a_sentence_that_names_it_and_its_lay_name(source: KnowledgeSource) -> None:
    found = await ask(source, "What are spider fingers?")
    first = next(iter(found.values()))
    assert first.id == "knowledge:HP:0000011"
    assert first.url == "https://hpo.jax.org/browse/term/HP:0000011"
    assert first.published == "2020-02-02"
    assert sentences(first.text)[0].text == "Long finger (also called spider finger or LFG): A finger that is long."
    assert first.text.endswith("Vocabularies class long finger as a kind of abnormal finger.")


async def test_diseases_with_a_feature_are_counted_and_named(source: KnowledgeSource) -> None:
    found = await ask(source, "Which diseases show long fingers?")
    assert next(iter(found.values())).text == (
        "Long finger is recorded as a feature of 2 diseases: Marlow syndrome (frequent); "
        "and cardiomyopathy, dilated, 1H (occasional)."
    )
    found = await ask(source, "Which diseases show abnormal fingers?")
    assert found["knowledge:HP:0000010#diseases"].text == (
        "Counting the more specific kinds of abnormal finger, abnormal finger is recorded in 2 diseases."
    )


async def test_diseases_that_share_features_are_named(source: KnowledgeSource) -> None:
    found = await ask(source, "Which diseases show long fingers and a cloudy lens?")
    shared = found["knowledge:HP:0000011+HP:0000013#diseases"]
    assert shared.text.startswith("Long finger and cloudy lens are both recorded as features of one disease: ")


async def test_inheritance_is_found(source: KnowledgeSource) -> None:
    found = await ask(source, "How is Marlow syndrome inherited?")
    assert next(iter(found.values())).text == (
        "The inheritance recorded for Marlow syndrome is autosomal dominant inheritance."
    )


async def test_few_individuals_give_no_class(source: KnowledgeSource, store: KnowledgeStore) -> None:
    concept = store.entry("OMIM:3").concept
    found = await source.search(SourceQuery(queries=("features?",), concepts=(concept,)))
    text = next(e.text for e in found if e.id == "knowledge:OMIM:3#features")
    assert text == "A feature of Twin disease known from reports of fewer than 5 individuals is cloudy lens (1 of 2)."


async def test_every_sentence_names_its_subject(source: KnowledgeSource) -> None:
    found = await ask(source, "Marlow syndrome")
    for evidence in found.values():
        assert all("Marlow syndrome" in sentence.text for sentence in sentences(evidence.text))


async def test_given_concepts_go_before_linking_and_unknown_ones_are_passed_over(
    source: KnowledgeSource, store: KnowledgeStore
) -> None:
    known = store.entry("HP:0000012").concept
    unknown = known.model_copy(update={"id": "C9999999"})
    found = await source.search(SourceQuery(queries=("Marlow syndrome",), concepts=(unknown, known)))
    assert {identifier for evidence in found for identifier in evidence.about} == {"HP:0000012"}


async def test_limit_and_questions_about_nothing_known(source: KnowledgeSource) -> None:
    assert len(await ask(source, "Marlow syndrome and long fingers", limit=2)) == 2
    assert await ask(source, "Where is my hat?") == {}
    assert await source.search(SourceQuery(queries=())) == []


async def test_a_store_that_fails_is_a_source_error(store: KnowledgeStore, linker: Linker) -> None:
    broken = KnowledgeStore(store.path, sqlite3.connect(":memory:", check_same_thread=False))
    source = KnowledgeSource(store, linker)
    source._store = broken
    with pytest.raises(SourceError, match="is damaged"):
        await source.search(SourceQuery(queries=("Marlow syndrome",)))
