from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="module")
def server(model_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real LangGraph development server over this checkout's langgraph.json."""
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "log"
    command = [
        str(Path(sys.executable).parent / "langgraph"),
        "dev",
        "--port",
        str(port),
        "--no-browser",
        "--no-reload",
    ]
    environment = {**os.environ, "MEDATTEST_HOME": str(model_home), "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    with log.open("w") as sink:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sink, stderr=sink)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                httpx.get(f"{url}/ok").raise_for_status()
                break
            except httpx.HTTPError:
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait(20)


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
