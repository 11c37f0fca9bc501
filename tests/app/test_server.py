from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from langserve import RemoteRunnable

from core.settings import Settings
from tests.app.conftest import Medattest
from tests.emulators.doors import serving_langserve

MARFAN = {"question": "What are the features of Marfan syndrome?"}


@pytest.fixture(scope="module")
def url(model_home: Path) -> Iterator[str]:
    with serving_langserve(Settings(home=model_home, max_body_mb=1)) as url:
        yield url


def door(url: str) -> RemoteRunnable[dict[str, Any], dict[str, Any]]:
    return RemoteRunnable(url)


def invoke(url: str, given: dict[str, Any]) -> dict[str, Any]:
    return door(url).invoke(given)


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


@pytest.mark.parametrize("path", ["feedback", "token_feedback", "public_trace_link", "c/x/invoke"])
def test_feedback_traces_and_configured_paths_are_not_served(url: str, path: str) -> None:
    assert httpx.post(f"{url}/medical_qa/{path}", json={}).status_code in (404, 405)


@pytest.mark.parametrize(
    ("question", "says"),
    [({"question": ""}, "empty"), ({"question": "What?", "home": "/etc"}, "unknown field home"), ({}, "missing")],
)
def test_wrong_use_is_told_not_a_server_error(url: str, question: dict[str, str], says: str) -> None:
    reply = httpx.post(f"{url}/medical_qa/invoke", json={"input": question})
    assert reply.status_code == 422
    assert says in reply.json()["error"]["message"]


def test_a_batch_is_answered_in_its_order(url: str) -> None:
    answers = door(f"{url}/medical_qa").batch([MARFAN, {"question": "What is zorblax fever?"}])
    assert [answer["abstained"] for answer in answers] == [False, True]


def test_a_stream_has_every_steps_update(url: str) -> None:
    chunks = list(door(f"{url}/medical_qa").stream(MARFAN))
    steps = [step for chunk in chunks for step in chunk]
    assert {"begin", "link_concepts", "understand", "retrieve", "answer", "verify"} <= set(steps)
    assert steps[-1] == "finalize"
    assert not chunks[-1]["finalize"]["answer"]["abstained"]


async def test_events_of_every_step_are_streamed(url: str) -> None:
    events = [event async for event in door(f"{url}/medical_qa").astream_events(MARFAN, version="v2")]
    ended = {event["name"] for event in events if event["event"] == "on_chain_end"}
    assert {"begin", "resolve", "retrieve", "weigh", "check", "finalize"} <= ended


@pytest.mark.filterwarnings("ignore:astream_log is deprecated")  # the playground of LangServe asks for it
async def test_the_log_of_a_run_ends_with_its_answer(url: str) -> None:
    patches = [patch async for patch in door(f"{url}/medical_qa").astream_log(MARFAN)]
    state = patches[0]
    for patch in patches[1:]:
        state += patch
    logged = [operation["path"] for patch in patches for operation in patch.ops]
    assert any(path.startswith("/logs/verify") for path in logged)
    assert any("finalize" in path for path in logged)


@pytest.mark.parametrize("path", ["medical_qa", "verification", "retrieval"])
def test_the_playground_is_a_page_that_needs_nothing_else(url: str, path: str) -> None:
    page = httpx.get(f"{url}/{path}/playground/")
    assert page.status_code == 200
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert assets
    assert all(httpx.get(f"{url}{asset}").status_code == 200 for asset in assets)


def test_evidence_objects_and_claims_are_taken(url: str) -> None:
    evidence = {"id": "leaflet:1", "text": "Aspirin thins blood.", "source": "leaflet"}
    given = {"claims": [{"text": "Aspirin thins blood.", "span": [0, 20]}], "evidence": [evidence]}
    (verdict,) = invoke(f"{url}/verification", given)["verdicts"]
    assert verdict["label"] == "supported"
    assert verdict["quotes"][0]["evidence_id"] == "leaflet:1"


@pytest.mark.parametrize("path", ["medical_qa", "verification", "retrieval"])
def test_schemas_name_the_fields(url: str, path: str) -> None:
    for which in ("input_schema", "output_schema"):
        assert httpx.get(f"{url}/{path}/{which}").json()["properties"]


@pytest.mark.parametrize(
    ("path", "given", "says"),
    [
        ("verification", {"text": " "}, "no text to verify"),
        ("verification", {"text": "x", "settings": {"tempo": 3}}, "unknown field settings.tempo"),
        ("verification", {"text": "x", "evidence": [{"id": "a"}]}, "evidence"),
        ("verification", {"claims": [{"text": " ", "span": [0, 1]}]}, "a claim has no text"),
        ("verification", {"claims": [{"text": "x", "span": [-1, 1]}]}, "span"),
        ("verification", {"claims": [{"text": "x", "span": [0, 10**30]}]}, "span"),
        ("verification", {"text": "x", "evidence": ["y"], "relevance": {"z": 0.5}}, "'z', which is no id"),
        ("verification", {"text": "x", "evidence": ["y", {"id": "given:1", "text": "z", "source": "a"}]}, "'given:1'"),
        ("retrieval", {"question": "x", "given": [{"id": "a", "text": "y", "source": "a"}] * 2}, "the id 'a'"),
        ("retrieval", {"question": "x", "settings": {"sources": []}}, "settings.sources"),
        ("retrieval", {"question": " "}, "empty"),
        ("retrieval", {"question": "x", "settings": {"method": "magic"}}, "settings.method"),
        ("retrieval", {"question": "What is asthma?", "settings": {"collection": "none-such"}}, "no collection"),
        ("verification", {"text": "x", "evidence": [5]}, "evidence.0: Input should be an object"),
        ("medical_qa", ["no", "fields"], "should be an object"),
        ("medical_qa", {"messages": ["x", 5]}, "a message is none"),
        ("medical_qa", {"messages": [{}]}, "a message is none"),
        ("medical_qa", {"question": "What is asthma?", "history": "Patient: hello"}, "history: Input should be a list"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_sentence(url: str, path: str, given: Any, says: str) -> None:
    reply = httpx.post(f"{url}/{path}/invoke", json={"input": given})
    assert reply.status_code == 422, reply.text
    assert says in reply.json()["error"]["message"]


@pytest.mark.parametrize("message", [["human", "Hello"], {"role": "user", "content": "Hello"}])
def test_messages_come_in_every_form_that_langchain_knows(url: str, message: Any) -> None:
    assert invoke(f"{url}/medical_qa", {"messages": [message]})["reason"]


def test_a_statement_too_long_to_be_checked_is_not_searched_for(url: str) -> None:
    reply = httpx.post(f"{url}/verification/invoke", json={"input": {"text": "aspirin " * 4_000}})
    [verdict] = reply.json()["output"]["verdicts"]
    assert "more than 3,000 characters" in verdict["why"]


def test_a_failure_after_the_first_byte_is_the_last_chunk(url: str) -> None:
    given = {"question": "What is asthma?", "settings": {"collection": "none-such"}}
    assert list(door(f"{url}/retrieval").stream(given))[-1]["error"]["type"] == "UnknownCollection"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost:1"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[::1"}, 403),
        ({"content-type": "text/plain"}, 415),
    ],
)
def test_foreign_hosts_pages_and_forms_are_refused(url: str, headers: dict[str, str], status: int) -> None:
    body = b'{"input": {"text": "Aspirin thins blood.", "evidence": ["Aspirin thins blood."]}}'
    sent = {"content-type": "application/json", **headers}
    reply = httpx.post(f"{url}/verification/invoke", content=body, headers=sent)
    assert reply.status_code == status
    assert "access-control-allow-origin" not in reply.headers


def test_a_long_body_is_refused_however_it_is_sent(url: str) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(50):
            yield b" " * 1_000_000

    sent = {"content-type": "application/json"}
    told = httpx.post(f"{url}/medical_qa/invoke", content=b" " * 1_000_001, headers=sent)
    assert told.status_code == 413
    with suppress(httpx.WriteError):  # hung up on while it still sends
        assert httpx.post(f"{url}/medical_qa/invoke", content=pieces(), headers=sent).status_code == 413


HALF = b'{"input": {"text": "x", "evidence": [{"id": "a\\ud800", "text": "y", "source": "a"}]}}'


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'{"input": ' + b"1" * 5000 + b"}", HALF])
def test_a_body_that_is_no_json_is_told_so(url: str, body: bytes) -> None:
    reply = httpx.post(f"{url}/medical_qa/invoke", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == 422
    assert "no JSON" in reply.json()["error"]["message"]


@pytest.mark.parametrize("host", ["a..b", "x" * 70])
def test_a_host_that_is_none_is_told(medattest: Medattest, host: str) -> None:
    ran = medattest("serve", "--host", host)
    assert ran.status == 2
    assert "cannot be served" in ran.err


def test_a_used_port_is_told_before_anything_is_promised(medattest: Medattest) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = medattest("serve", "--port", taken.getsockname()[1])
    assert ran.status == 2
    assert "cannot be served" in ran.err
    assert "Ctrl-C" not in ran.err


def test_texts_on_the_command_line_are_bounded(medattest: Medattest) -> None:
    long = "asthma " * 15_000
    for command in (("search", long), ("knowledge", "lookup", long), ("link", long * 3)):
        ran = medattest(*command)
        assert ran.status == 2, command[0]
        assert "limit" in ran.err or "nothing is indexed" in ran.err
