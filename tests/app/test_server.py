from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from langserve import RemoteRunnable

from app.server import application
from core.settings import Settings
from graphs.resources import Resources


@pytest.fixture(scope="module")
def url(model_home: Path) -> Iterator[str]:
    """The real server on a loopback socket."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    app = application(Resources(Settings(home=model_home)))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(20)


def invoke(url: str, given: dict[str, Any]) -> dict[str, Any]:
    door: RemoteRunnable[dict[str, Any], dict[str, Any]] = RemoteRunnable(url)
    return door.invoke(given)


def test_langserves_own_client_gets_the_fields_of_an_answer(url: str) -> None:
    answer = invoke(f"{url}/medical_qa", {"question": "What are the features of Marfan syndrome?"})
    assert not answer["abstained"], answer["reason"]
    assert set(answer["citations"]) <= {e["id"] for e in answer["evidence"]}


def test_claims_are_verified_and_evidence_is_retrieved(url: str) -> None:
    given = {"text": "Aspirin thins blood.", "evidence": ["Aspirin thins blood."]}
    verified = invoke(f"{url}/verification", given)
    assert [v["label"] for v in verified["verdicts"]] == ["supported"]
    found = invoke(f"{url}/retrieval", {"question": "What is arachnodactyly?"})
    assert found["selected"]


@pytest.mark.parametrize(
    ("question", "says"), [({"question": ""}, "empty"), ({"question": "What?", "home": "/etc"}, "unknown field home")]
)
def test_wrong_use_is_told_not_a_server_error(url: str, question: dict[str, str], says: str) -> None:
    reply = httpx.post(f"{url}/medical_qa/invoke", json={"input": question})
    assert reply.status_code == 422
    assert says in reply.json()["error"]["message"]
