from __future__ import annotations

import pytest

from core.errors import SourceError
from core.schema import Concept
from tests.emulators.umls import HTML_PAGE, METFORMIN, PNEUMONIA, serving_umls
from tests.tools.knowledge.rest.conftest import Opened
from tools.knowledge.interface import Definition, Knowledge
from tools.knowledge.rest.knowledge import UmlsRest

AS_CONCEPT = Concept(id=PNEUMONIA, name="Pneumonia", types=("Disease or Syndrome",), group="DISO")


async def test_a_name_an_id_and_a_code_find_the_concept(opened: Opened) -> None:
    with serving_umls() as (_, url):
        knowledge: Knowledge = UmlsRest(opened(url))
        for term in ("pneumonitis", "Lung Inflammation", PNEUMONIA, f"UMLS:{PNEUMONIA}", "MESH:D011014"):
            assert await knowledge.lookup(term, 5) == (AS_CONCEPT,), term


async def test_words_are_searched_where_no_name_is_exact(opened: Opened) -> None:
    with serving_umls() as (server, url):
        knowledge = UmlsRest(opened(url))
        assert [c.name for c in await knowledge.lookup("non-insulin-dependent diabetes mellitus,", 5)] == [
            "Diabetes Mellitus, Non-Insulin-Dependent"
        ]
        assert [request.query["searchType"] for request in server.requests[:2]] == [["exact"], ["words"]]
        assert len(await knowledge.lookup("rare disease", 7)) == 7
        assert await knowledge.lookup("rare disease", 0) == ()
        assert await knowledge.lookup("unheard of", 5) == ()


async def test_types_have_the_semantic_networks_names_and_group(opened: Opened) -> None:
    with serving_umls() as (_, url):
        metformin = await UmlsRest(opened(url)).concept("RXNORM:6809")
        lung = await UmlsRest(opened(url)).concept("SNOMEDCT:39607008")
    assert metformin == Concept(
        id=METFORMIN, name="metformin", types=("Organic Chemical", "Pharmacologic Substance"), group="CHEM"
    )
    assert lung is not None
    assert (lung.types, lung.group) == (("Body Part, Organ, or Organ Component",), "ANAT")


@pytest.mark.parametrize("identifier", ["C7777777", "MESH:D999999", "no identifier", "", "C12", "../../admin"])
async def test_what_is_unknown_has_nothing(opened: Opened, identifier: str) -> None:
    with serving_umls() as (_, url):
        knowledge = UmlsRest(opened(url))
        assert await knowledge.concept(identifier) is None
        assert await knowledge.names(identifier) == ()
        assert await knowledge.definitions(identifier) == ()
        assert await knowledge.relations(identifier, 5) == ()
        assert await knowledge.release(identifier) is None


async def test_a_code_of_several_concepts_names_none(opened: Opened) -> None:
    with serving_umls() as (_, url):
        assert await UmlsRest(opened(url)).concept("SNOMEDCT:9999") is None


async def test_names_begin_with_the_preferred_one(opened: Opened) -> None:
    with serving_umls() as (_, url):
        assert await UmlsRest(opened(url)).names(PNEUMONIA) == ("Pneumonia", "Pneumonitis", "lung inflammation")


async def test_definitions_name_their_vocabulary_and_are_english(opened: Opened) -> None:
    with serving_umls() as (_, url):
        found = await UmlsRest(opened(url)).definitions("MESH:D011014")
    assert [definition.vocabulary for definition in found] == ["MSH", "NCI", "MSH"]
    assert found[0] == Definition(text="Infection of the lung often accompanied by inflammation.", vocabulary="MSH")


async def test_relations_are_triples_of_concepts_the_most_telling_first(opened: Opened) -> None:
    with serving_umls() as (_, url):
        triples = await UmlsRest(opened(url)).relations(PNEUMONIA, 50)
    assert [(str(triple), triple.tail.id, triple.vocabulary) for triple in triples] == [
        ("[Pneumonia, has finding site, Lung]", "C0024109", "SNOMEDCT_US"),
        ("[Pneumonia, may be treated by, Amoxicillin]", "C0002645", "MED-RT"),
        ("[Pneumonia, associated with, Fever, NOS]", "C0015967", "SNMI"),
        ("[Pneumonia, member of, Infective pneumonia (SMQ)]", "MEDDRA:20000231", "MDR"),
        ("[Pneumonia, has causative agent, Bacterium]", "SNOMEDCT_US:9999", "SNOMEDCT_US"),
        ("[Pneumonia, is a, Lung diseases]", "C0024115", "SNOMEDCT_US"),
        ("[Pneumonia, Bacterial, is a, Pneumonia]", PNEUMONIA, "SNOMEDCT_US"),
        ("[Pneumonia, has the same parent as, Respiratory Tract Infections]", "MESH:D012141", "MSH"),
    ]


async def test_a_limit_bounds_relations_and_the_codes_asked_for(opened: Opened) -> None:
    with serving_umls() as (server, url):
        triples = await UmlsRest(opened(url)).relations(PNEUMONIA, 2)
        assert [triple.relation for triple in triples] == ["has finding site", "may be treated by"]
        assert len(server.requests) <= 4
        assert await UmlsRest(opened(url)).relations(PNEUMONIA, 0) == ()


async def test_a_code_that_cannot_be_asked_for_keeps_its_own_id(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    with serving_umls() as (server, url):
        knowledge = UmlsRest(opened(url))
        await knowledge.concept(METFORMIN)
        await knowledge.client.relations(METFORMIN)
        asked = len(server.requests)
        (offline,) = await UmlsRest(opened(url, "offline")).relations(METFORMIN, 5)
        assert len(server.requests) == asked
    assert caplog.text == ""
    assert (offline.tail.id, offline.tail.name) == ("MESH:D003924", "Diabetes Mellitus, Type 2")


async def test_a_broken_lookup_of_a_code_does_not_cost_the_relation(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    with serving_umls() as (_, url):
        first = opened(url)
        await first.concept(METFORMIN)
        await first.relations(METFORMIN)
    with pytest.raises(SourceError):
        await opened(url).concept(PNEUMONIA)
    (triple,) = await UmlsRest(opened(url)).relations(METFORMIN, 5)
    assert triple.tail.id == "MESH:D003924"
    assert "1 codes of relations keep their own ids" in caplog.text


async def test_a_relation_to_a_code_resolves_to_its_concept(opened: Opened) -> None:
    with serving_umls() as (_, url):
        (triple,) = await UmlsRest(opened(url)).relations("RXNORM:6809", 5)
    assert str(triple) == "[metformin, may treat, Diabetes Mellitus, Non-Insulin-Dependent]"
    assert (triple.head.id, triple.tail.id, triple.head.group) == (METFORMIN, "C0011860", "CHEM")


async def test_a_failing_service_is_an_error_not_an_absence(opened: Opened) -> None:
    with serving_umls(HTML_PAGE) as (_, url), pytest.raises(SourceError, match="no JSON"):
        await UmlsRest(opened(url)).relations(PNEUMONIA, 5)
