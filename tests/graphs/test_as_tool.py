"""Medattest's tools in LangChain's own agent, whose model is a script: called, awaited, failing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

from core.settings import Settings
from graphs.resources import Resources
from tests.emulators.entrez import BROKEN, EntrezService, serving_entrez
from tests.emulators.mediawiki import serving_wikipedia

NAMES = ("medical_search", "pubmed_search", "wikipedia_search", "umls_lookup", "umls_relations", "verify_claims")
LEAFLET = "Gout is treated with colchicine. Gout is caused by crystals of urate in the joints."


class Scripted(GenericFakeChatModel):
    """A model that says what it is told to, whatever tools it is given."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> BaseChatModel:
        return self


def calling(tool: str, **arguments: Any) -> Scripted:
    """A model that calls one tool, and then ends."""
    call = {"name": tool, "args": arguments, "id": "call-1", "type": "tool_call"}
    return Scripted(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("Done.")]))


@pytest.fixture
def urls() -> Iterator[dict[str, str]]:
    with serving_entrez(EntrezService()) as (_, entrez), serving_wikipedia() as (_, _, wikipedia):
        yield {"entrez_url": entrez, "wikipedia_url": wikipedia}


@pytest.fixture
def resources(model_home: Path, urls: dict[str, str]) -> Iterator[Resources]:
    made = Resources(Settings(home=model_home, cache_hours=0, **urls))  # type: ignore[arg-type]  # addresses by name
    yield made
    made.close()


def replied(messages: Sequence[BaseMessage]) -> tuple[ToolMessage, Any]:
    (message,) = (message for message in messages if isinstance(message, ToolMessage))
    assert messages[-1].content == "Done."
    try:
        return message, json.loads(str(message.content))
    except ValueError:
        return message, None


def test_their_names_and_arguments_are_as_agents_need_them(resources: Resources) -> None:
    tools = resources.tools()
    assert tuple(tool.name for tool in tools) == NAMES
    assert all(tool.description and tool.args for tool in tools)


@pytest.mark.parametrize(
    ("tool", "arguments", "holds"),
    [
        ("medical_search", {"question": "What are the features of Marfan syndrome?"}, "knowledge:"),
        ("pubmed_search", {"query": "metformin ovulation", "limit": 2}, "pubmed:30000000"),
        ("wikipedia_search", {"query": "Marfan syndrome", "limit": 2}, "wikipedia:"),
        ("umls_lookup", {"term": "heart attack"}, "C0027051"),
        ("umls_relations", {"identifier": "C0027051", "limit": 3}, "is a"),
        ("verify_claims", {"text": "Gout is treated with colchicine.", "evidence": [LEAFLET]}, "supported"),
    ],
)
async def test_an_agent_can_use_each_of_them_both_ways(
    resources: Resources, tool: str, arguments: dict[str, Any], holds: str
) -> None:
    def agent() -> Any:
        return create_agent(calling(tool, **arguments), list(resources.tools()), checkpointer=InMemorySaver())

    thread: Any = {"configurable": {"thread_id": "1"}}
    awaited = await agent().ainvoke({"messages": [("human", "Hello")]}, thread)
    called = await asyncio.to_thread(agent().invoke, {"messages": [("human", "Hello")]}, thread)
    for result in (awaited, called):
        message, value = replied(result["messages"])
        assert message.status == "success"
        assert holds in json.dumps(value)
    await resources.services.close()


def test_a_claim_comes_with_its_verdict_and_the_quote_that_decides(resources: Resources) -> None:
    verify = _named(resources, "verify_claims")
    found = verify.invoke({"text": "Gout is treated with colchicine.", "evidence": [LEAFLET]})
    (claim,) = found["claims"]
    assert claim["label"] == "supported"
    assert claim["risk"] < 0.5
    assert claim["quotes"][0]["text"] in LEAFLET
    assert [piece["id"] for piece in found["evidence"]] == ["given:1"]


def test_the_paths_of_a_claim_are_drawn_where_they_are_asked_for(resources: Resources) -> None:
    verify = _named(resources, "verify_claims")
    text = "Aortic aneurysm occurs in Marfan syndrome. It is well known."
    found = verify.invoke({"text": text, "evidence": ["Marfan syndrome leads to aortic aneurysm."], "paths": True})
    drawn = found["paths"]
    assert len(drawn) == len(found["claims"])
    assert "Paths between Aortic aneurysm and Marfan syndrome" in drawn[0]


def test_a_failure_is_an_error_to_the_agent_and_no_evidence(model_home: Path) -> None:
    with serving_entrez(EntrezService(faults={"esearch": [BROKEN] * 9})) as (_, url):
        resources = Resources(Settings(home=model_home, cache_hours=0, entrez_url=url))
        agent: Any = create_agent(calling("pubmed_search", query="metformin"), list(resources.tools()))
        message, _ = replied(agent.invoke({"messages": [("human", "Hello")]})["messages"])
        resources.close()
    assert message.status == "error"
    assert "this failed and found nothing out" in str(message.content)
    assert "status 500" in str(message.content)


def test_a_collection_that_is_not_there_is_an_error_too(resources: Resources) -> None:
    assert _named(resources, "medical_search").invoke("What is asthma?")["evidence"]
    told = _named(resources, "medical_search").invoke({"question": "What is gout?", "collection": "nowhere"})
    assert "this failed" in told
    assert "nowhere" in told


def _named(resources: Resources, name: str) -> BaseTool:
    return next(tool for tool in resources.tools() if tool.name == name)


async def test_what_no_question_can_be_is_a_message(resources: Resources) -> None:
    search = next(tool for tool in resources.tools() if tool.name == "medical_search")
    assert "cannot be asked" in await search.ainvoke({"question": "\x00 ?"})


def test_closed_resources_say_so_and_can_be_closed_again(model_home: Path) -> None:
    resources = Resources(Settings(home=model_home))
    search = next(tool for tool in resources.tools() if tool.name == "medical_search")
    resources.close()
    resources.close()
    assert "closed: make new ones" in search.invoke({"question": "What is gout?"})
