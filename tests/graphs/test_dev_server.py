from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.emulators.doors import serving_langgraph


@pytest.fixture(scope="module")
def server(model_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("server") / "log"
    with serving_langgraph({"MEDATTEST_HOME": str(model_home)}, log) as url:
        yield url


@pytest.fixture
async def client(server: str) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server) as client:
        yield client


async def run(client: LangGraphClient, thread: str | None, graph: str, given: dict[str, Any]) -> dict[str, Any]:
    return cast("dict[str, Any]", await client.runs.wait(thread, graph, input=given))


async def test_the_development_server_runs_the_whole_agent_through_its_sdk(client: LangGraphClient) -> None:
    names = {assistant["graph_id"] for assistant in await client.assistants.search()}
    assert names == {"medical_qa", "verification", "retrieval"}
    thread = await client.threads.create()
    result = await run(
        client, thread["thread_id"], "medical_qa", {"question": "What are the features of Marfan syndrome?"}
    )
    answer = result["answer"]
    assert not answer["abstained"], answer["reason"]
    assert set(answer["citations"]) <= {e["id"] for e in answer["evidence"]}
    second = await run(client, thread["thread_id"], "medical_qa", {"question": "What is zorblax fever?"})
    assert second["answer"]["abstained"]


async def test_the_subgraphs_run_by_themselves(client: LangGraphClient) -> None:
    found = await run(client, None, "retrieval", {"question": "What is arachnodactyly?"})
    assert any(e["id"].startswith("knowledge:HP:0001166") for e in found["selected"])
    text = {"text": "Aspirin thins blood.", "evidence": ["Aspirin thins blood."]}
    verified = await run(client, None, "verification", text)
    assert [v["label"] for v in verified["verdicts"]] == ["supported"]
