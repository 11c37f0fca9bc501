from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from core.errors import SourceError
from core.http import HttpClient, Limits
from core.privacy.boundary import noting, outgoing, stays_here
from tests.emulators.http import Reply, serving

TEXT = "Mr Ito, MRN 1234567: is amlodipine safe?"
CLEAN = ", MRN : is amlodipine safe?"
FAR = "http://eutils.example/search"


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient(Limits(deadline=5.0, attempts=1))
    yield client
    await client.close()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://127.0.0.1:8000/x", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:80/", True),
        ("http://LOCALHOST:1/", True),
        ("http://mirror.localhost/", True),
        ("https://localhost.example.org", False),
        ("https://10.0.0.7/", False),
        ("https://en.wikipedia.org", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_what_this_machine_is(address: str, here: bool) -> None:
    assert stays_here(address) is here


async def test_another_machine_is_sent_no_identifier(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply(200, b"{}")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)  # stands for the way to every host
        http = HttpClient(Limits(deadline=5.0, attempts=1))
        with noting() as noted:
            await http.get(FAR, {"term": TEXT, "email": "ops@example.org", "api_key": "07700900123", "retmax": 3})
            await http.post(FAR, {"term": TEXT, "tool": "medattest", "apiKey": "SSN 123-45-6789"})
        await http.close()
    got, posted = proxy.requests
    assert got.headers["host"] == "eutils.example"
    assert got.query == {"term": [CLEAN], "email": ["ops@example.org"], "api_key": ["07700900123"], "retmax": ["3"]}
    assert b"Ito" not in posted.body
    assert b"1234567" not in posted.body
    assert b"apiKey=SSN+123-45-6789" in posted.body
    assert noted.kinds == ("name", "record number")
    assert noted.notice == "removed before anything left this machine: name, record number"


async def test_this_machine_is_sent_everything(http: HttpClient) -> None:
    with serving(Reply(200, b"{}")) as server, noting() as noted:
        await http.get(server.url, {"term": TEXT})
    assert server.requests[0].query == {"term": [TEXT]}
    assert noted.kinds == ()
    assert noted.notice is None


async def test_this_machine_may_not_pass_it_on(http: HttpClient) -> None:
    with (
        serving(Reply(307, headers={"location": "http://far.example/x"})) as server,
        pytest.raises(SourceError, match="redirects to another machine: it is not followed"),
    ):
        await http.get(server.url, {"term": TEXT})


async def test_each_question_learns_of_its_own_identifiers_only() -> None:
    async def asked(text: str) -> tuple[str, ...]:
        with noting() as noted:
            await asyncio.sleep(0)
            await asyncio.gather(asyncio.to_thread(outgoing, text, FAR), asyncio.sleep(0))
        return noted.kinds

    with noting() as outer:
        found = await asyncio.gather(asked("Mr Ito"), asked("gout"), asked("x@y.example"))
    assert list(found) == [("name",), (), ("e-mail address",)]
    assert outer.kinds == ("name", "e-mail address")


def test_what_goes_into_a_key_has_no_identifier() -> None:
    assert outgoing(TEXT, FAR) == CLEAN
    assert outgoing(TEXT, "http://127.0.0.1:9/") == TEXT
    assert outgoing("gout  and\nstatins", FAR) == "gout  and\nstatins"
