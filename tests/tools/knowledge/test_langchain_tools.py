from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langchain_core.tools import BaseTool
from pydantic import ValidationError

from core.cache import DiskCache
from core.errors import SourceError
from core.http import HttpClient
from tests.emulators.http import Emulator
from tests.emulators.umls import HTML_PAGE, KEY, PNEUMONIA, serving_umls
from tools.knowledge.langchain import umls_tools
from tools.knowledge.local import LocalKnowledge
from tools.knowledge.rest.client import UmlsClient
from tools.knowledge.rest.knowledge import UmlsRest
from tools.knowledge.store import KnowledgeStore

Service = tuple[Emulator, tuple[BaseTool, BaseTool]]


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    http = HttpClient()
    with serving_umls() as (server, url):
        yield server, umls_tools(UmlsRest(UmlsClient(http, url, KEY, DiskCache(tmp_path / "umls.sqlite", 60.0))))
    await http.close()


async def test_the_service_is_looked_up_in(service: Service) -> None:
    _, (lookup, _) = service
    assert lookup.name == "umls_lookup"
    found = await lookup.ainvoke({"term": "pneumonitis"})
    assert json.loads(json.dumps(found)) == found
    (concept,) = found
    assert (concept["id"], concept["name"]) == (PNEUMONIA, "Pneumonia")
    assert (concept["types"], concept["group"]) == (["Disease or Syndrome"], "DISO")
    assert concept["definitions"][0]["vocabulary"] == "MSH"
    assert await lookup.ainvoke({"term": "unheard of"}) == []


async def test_the_services_relations_are_listed(service: Service) -> None:
    _, (_, relations) = service
    assert relations.name == "umls_relations"
    found = await relations.ainvoke({"identifier": PNEUMONIA, "limit": 1})
    assert found == [
        {
            "head": {"id": PNEUMONIA, "name": "Pneumonia"},
            "relation": "has finding site",
            "tail": {"id": "C0024109", "name": "Lung"},
            "vocabulary": "SNOMEDCT_US",
        }
    ]


async def test_a_model_calls_them_by_their_described_arguments(service: Service) -> None:
    _, tools = service
    for tool in tools:
        assert all(argument["description"] for argument in tool.args.values())
    message = await tools[0].ainvoke(
        {"name": "umls_lookup", "args": {"term": "Fever", "limit": 2}, "id": "call-1", "type": "tool_call"}
    )
    assert json.loads(message.content)[0]["id"] == "C0015967"


@pytest.mark.parametrize("arguments", [{}, {"term": ""}, {"term": "x", "limit": 0}, {"term": "x", "limit": 26}])
async def test_arguments_out_of_bounds_are_refused(service: Service, arguments: dict[str, object]) -> None:
    server, (lookup, _) = service
    with pytest.raises(ValidationError):
        await lookup.ainvoke(arguments)
    assert server.requests == []


async def test_a_failure_is_never_a_text(tmp_path: Path) -> None:
    http = HttpClient()
    with serving_umls(HTML_PAGE) as (_, url):
        client = UmlsClient(http, url, KEY, DiskCache(tmp_path / "umls.sqlite", 60.0))
        with pytest.raises(SourceError, match="no JSON"):
            await umls_tools(UmlsRest(client))[0].ainvoke({"term": "pneumonia"})
    await http.close()


def test_the_service_is_not_asked_off_its_event_loop(service: Service) -> None:
    with pytest.raises(NotImplementedError):
        service[1][0].invoke({"term": "pneumonia"})


def test_the_local_store_answers_without_an_event_loop_too(store: KnowledgeStore) -> None:
    lookup, _ = umls_tools(LocalKnowledge(store))
    (concept,) = lookup.invoke({"term": "spider finger"})
    assert (concept["id"], concept["name"]) == ("C0000012", "Long finger")
    assert concept["definitions"] == [
        {"text": "A finger that is long. It is longer than others.", "vocabulary": ""},
    ]


def test_knowledge_is_imported_without_langchain() -> None:
    code = "import sys, tools.knowledge.rest.source, tools.knowledge.local; sys.exit('langchain_core' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0
