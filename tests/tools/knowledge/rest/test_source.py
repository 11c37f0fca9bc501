from __future__ import annotations

import pytest

from core.errors import SourceError
from core.language import sentences
from core.schema import Concept
from core.source import Source, SourceQuery
from tests.emulators.umls import HTML_PAGE, METFORMIN, PNEUMONIA, serving_umls
from tests.tools.knowledge.rest.conftest import Opened
from tools.knowledge.rest.knowledge import UmlsRest
from tools.knowledge.rest.source import UmlsSource

QUESTION = "What is pneumonia?"


def asking(*concepts: Concept, limit: int = 30) -> SourceQuery:
    return SourceQuery(queries=(QUESTION, "pneumonia"), concepts=concepts, limit=limit)


def named(name: str, identifier: str = "HP:0002090", xrefs: tuple[str, ...] = ()) -> Concept:
    return Concept(id=identifier, name=name, xrefs=xrefs)


async def test_evidence_is_definitions_and_relations_with_provenance(opened: Opened) -> None:
    with serving_umls() as (server, url):
        source: Source = UmlsSource(UmlsRest(opened(url)))
        found = await source.search(asking(named("Pneumonia", PNEUMONIA, ("MESH:D011014",))))
        assert len(server.requests) == 3, "concept, definitions, relations: no request a code"
    assert source.name == "umls"
    assert [evidence.id for evidence in found] == [
        "umls:C0032285#definition:MSH",
        "umls:C0032285#definition:NCI",
        "umls:C0032285#definition:MSH:2",
        "umls:C0032285#relations",
    ]
    first, nci, _, relations = found
    assert first.text == "Pneumonia: Infection of the lung often accompanied by inflammation."
    assert (first.title, first.owner, first.version) == ("Pneumonia: definition", "Medical Subject Headings", "2024AA")
    assert first.url == "https://uts.nlm.nih.gov/uts/umls/concept/C0032285"
    assert (first.source, first.query, first.about) == ("umls", QUESTION, (PNEUMONIA, "MESH:D011014"))
    assert nci.text == "Pneumonia: An acute, acute & subacute, or chronic inflammatory process of the lung."
    assert "SNOMED CT, US Edition" in str(relations.owner)
    assert [evidence.score for evidence in found] == sorted((e.score for e in found), reverse=True)


async def test_each_relation_is_a_sentence_that_names_its_subject(opened: Opened) -> None:
    with serving_umls() as (_, url):
        found = await UmlsSource(UmlsRest(opened(url))).search(asking(named("Pneumonia", PNEUMONIA)))
    text = found[-1].text
    assert [text[start:end] for start, end in ((s.start, s.end) for s in sentences(text))] == [
        "Pneumonia has the finding site Lung structure, according to SNOMED CT, US Edition.",
        "Pneumonia has the finding site Lung, according to NCI Thesaurus.",
        "Pneumonia may be treated by Amoxicillin, according to Medication Reference Terminology.",
        "Pneumonia is associated with Fever, NOS, according to SNOMED International.",
        "Pneumonia is a member of Infective pneumonia (SMQ), according to MedDRA.",
        "Pneumonia has the causative agent Bacterium, according to SNOMED CT, US Edition.",
        "Pneumonia is a kind of Disorder of lung, according to SNOMED CT, US Edition.",
        "Pneumonia has the same parent as Respiratory Tract Infections, according to Medical Subject Headings.",
        "Bacterial pneumonia is a kind of Pneumonia, according to SNOMED CT, US Edition.",
    ]


async def test_a_concept_without_a_cui_is_looked_up_by_name(opened: Opened) -> None:
    with serving_umls() as (_, url):
        source = UmlsSource(UmlsRest(opened(url)))
        found = await source.search(asking(named("Pneumonitis")))
        assert found[0].about == (PNEUMONIA, "HP:0002090")
        assert found[0].text.startswith("Pneumonia: ")
        by_reference = await source.search(asking(named("No such name", "OMIM:1", ("UMLS:C0025598",))))
        assert [evidence.id for evidence in by_reference] == [f"umls:{METFORMIN}#relations"]
        assert by_reference[0].owner == "Medication Reference Terminology"


async def test_nothing_known_is_no_evidence(opened: Opened) -> None:
    with serving_umls() as (server, url):
        source = UmlsSource(UmlsRest(opened(url)))
        assert await source.search(asking()) == []
        assert server.requests == []
        assert await source.search(asking(named("Unheard of"), named("Snoring"), named("x", "C7777777"))) == []


async def test_the_limit_and_the_order_of_concepts_hold(opened: Opened) -> None:
    with serving_umls() as (_, url):
        source = UmlsSource(UmlsRest(opened(url)))
        both = [named("metformin", METFORMIN), named("Pneumonia", PNEUMONIA), named("again", PNEUMONIA)]
        found = await source.search(asking(*both))
        assert len(await source.search(asking(*both, limit=2))) == 2
    assert len({evidence.id for evidence in found}) == len(found) == 5
    assert [e.id for e in found if "relations" in e.id] == [
        f"umls:{METFORMIN}#relations",
        f"umls:{PNEUMONIA}#relations",
    ]


async def test_a_source_that_fails_raises(opened: Opened) -> None:
    with serving_umls(HTML_PAGE) as (_, url), pytest.raises(SourceError, match="no JSON"):
        await UmlsSource(UmlsRest(opened(url))).search(asking(named("Pneumonia", PNEUMONIA)))


async def test_one_concept_that_fails_does_not_cost_the_others(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    with serving_umls() as (_, url):
        await UmlsSource(UmlsRest(opened(url))).search(asking(named("metformin", METFORMIN)))
    found = await UmlsSource(UmlsRest(opened(url))).search(
        asking(named("metformin", METFORMIN), named("Pneumonia", PNEUMONIA))
    )
    assert [evidence.id for evidence in found] == [f"umls:{METFORMIN}#relations"]
    assert "umls: evidence of one concept is missing" in caplog.text
