"""Concepts, relations and the UMLS service in the agent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph.state import CompiledStateGraph
from pydantic import SecretStr

from core.settings import Settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from tests.emulators.umls import KEY, serving_umls

AnyGraph = CompiledStateGraph[Any, Any, Any, Any]


@pytest.fixture
def resources(model_home: Path) -> Iterator[Resources]:
    resources = Resources(Settings(home=model_home))
    yield resources
    resources.close()


async def values(graph: AnyGraph, question: str, **fields: Any) -> dict[str, Any]:
    found = [state async for state in graph.astream({"question": question, **fields}, stream_mode="values")]
    return dict(found[-1])


async def test_the_state_holds_what_is_linked_and_what_is_stated_of_it(resources: Resources) -> None:
    state = await values(build_graph(resources), "Is arachnodactyly a feature of Marfan syndrome?")
    assert {m.concept.name for m in state["mentions"]} == {"Arachnodactyly", "Marfan syndrome"}
    assert str(state["triples"][0]) == "[Arachnodactyly, phenotype of, Marfan syndrome]"
    assert len(state["triples"]) <= resources.settings.triples


async def test_without_knowledge_nothing_is_linked(resources: Resources) -> None:
    state = await values(build_graph(resources), "What is asthma?", settings={"without": ["knowledge"]})
    assert state["mentions"] == ()
    assert state["triples"] == ()


async def test_a_key_makes_the_umls_service_a_source(model_home: Path) -> None:
    with serving_umls() as (server, url):
        resources = Resources(Settings(home=model_home, umls_key=SecretStr(KEY), umls_url=url, cache_hours=0))
        state = await values(build_graph(resources), "What is pneumonia?")
        await resources.services.close()
        resources.close()
    assert server.requests
    found = [e for e in state["answer"].evidence if e.source == "umls"]
    assert any("inflammatory process of the lung" in evidence.text for evidence in found)
    assert all(evidence.url.startswith("https://uts.nlm.nih.gov/") for evidence in found)
    assert KEY not in state["answer"].model_dump_json()


async def test_a_refused_key_is_a_failure_that_others_survive(model_home: Path) -> None:
    with serving_umls() as (_, url):
        resources = Resources(Settings(home=model_home, umls_key=SecretStr("wrong"), umls_url=url, cache_hours=0))
        state = await values(build_graph(resources), "What are the features of Marfan syndrome?")
        await resources.services.close()
        resources.close()
    (failure,) = state["answer"].failures
    assert failure.source == "umls"
    assert "MEDATTEST_UMLS_KEY" in failure.error
    assert not state["answer"].abstained
