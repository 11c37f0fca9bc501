from __future__ import annotations

import asyncio
import email.utils
import gzip
import logging
import random
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import SettingsError, SourceError, SourceTimeout
from core.http import HttpClient, Limits, _certificates
from core.pacing import Pacer, backoff
from tests.emulators.http import Reply, Request, never_accepting, serving

SECRET = "marfan-patient-key"
QUICK = Limits(connect=0.3, read=2.0, write=1.0, pool=1.0, deadline=20.0, attempts=3, backoff=0.02, max_bytes=10_000)

Opened = Callable[..., HttpClient]


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    clients: list[HttpClient] = []

    def open_client(**limits: Any) -> HttpClient:
        clients.append(HttpClient(replace(QUICK, **limits), contact="ops@example.org", seed=1))
        return clients[-1]

    yield open_client
    for client in clients:
        await client.close()


async def failure(client: HttpClient, url: str, kind: type[SourceError] = SourceError) -> str:
    """The message of the failure that asking ``url`` ends in, held to be free of what was asked."""
    with pytest.raises(SourceError) as caught:
        await client.get(url, {"term": SECRET, "api_key": SECRET})
    assert type(caught.value) is kind
    assert SECRET not in str(caught.value)
    return str(caught.value)


async def test_get_returns_the_reply_and_says_who_asks(opened: Opened) -> None:
    with serving(Reply(200, "Größe".encode("latin-1"), {"content-type": "Text/XML; charset=iso-8859-1"})) as server:
        reply = await opened().get(server.url + "/search", {"term": "aortic root", "n": 3}, headers={"X-One": "1"})
    assert (reply.status, reply.media_type, reply.text, reply.host) == (200, "text/xml", "Größe", server.host)
    (request,) = server.requests
    assert (request.method, request.path, request.query) == ("GET", "/search", {"term": ["aortic root"], "n": ["3"]})
    assert request.headers["x-one"] == "1"
    assert request.headers["user-agent"].startswith("Medattest/")
    assert "ops@example.org" in request.headers["user-agent"]


async def test_post_sends_a_form_and_a_retry_sends_it_again(opened: Opened) -> None:
    with serving(Reply(500), Reply(200, b"ok")) as server:
        assert (await opened().post(server.url, {"id": "1,2"})).body == b"ok"
    assert [(r.method, r.body) for r in server.requests] == [("POST", b"id=1%2C2")] * 2


async def test_json_that_is_none_is_an_error_that_names_the_host(opened: Opened) -> None:
    pages = Reply(200, b'{"a": [1]}'), Reply(200, b"<html>Sorry</html>", {"content-type": "text/html"})
    with serving(*pages) as server:
        client = opened()
        assert (await client.get(server.url)).json() == {"a": [1]}
        reply = await client.get(server.url)
    with pytest.raises(SourceError, match=rf"{server.host} answered with text/html that is no JSON"):
        reply.json()


async def test_an_unknown_charset_is_read_as_utf8(opened: Opened) -> None:
    with serving(Reply(200, "é".encode(), {"content-type": "text/plain; charset=klingon"})) as server:
        assert (await opened().get(server.url)).text == "é"


async def test_a_burst_of_500_is_survived(opened: Opened) -> None:
    with serving(Reply(500), Reply(502), Reply(200, b"ok")) as server:
        assert (await opened().get(server.url)).body == b"ok"


async def test_a_500_that_stays_is_an_error_after_all_attempts(opened: Opened) -> None:
    with serving(Reply(500)) as server:
        message = await failure(opened(), server.url)
    assert message == f"{server.host} answered with status 500 (3 attempts): try again later"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "check the key"), (404, "check the address"), (414, "less"), (400, "not accept")]
)
async def test_a_refusal_is_not_asked_again(opened: Opened, status: int, advice: str) -> None:
    with serving(Reply(status, SECRET.encode())) as server:
        message = await failure(opened(), server.url)
    assert message.startswith(f"{server.host} answered with status {status}")
    assert advice in message
    assert len(server.requests) == 1


async def test_a_connection_that_is_never_accepted_times_out(opened: Opened) -> None:
    with never_accepting() as url:
        started = time.monotonic()
        message = await failure(opened(attempts=2), url, SourceTimeout)
    assert "accepts no connection in time (2 attempts)" in message
    assert time.monotonic() - started < 10


async def test_a_stall_before_the_answer_is_retried(opened: Opened) -> None:
    with serving(Reply(delay=20), Reply(200, b"ok")) as server:
        assert (await opened(read=0.3).get(server.url)).body == b"ok"


async def test_a_stall_in_mid_body_is_retried(opened: Opened) -> None:
    with serving(Reply(200, b"x" * 100, cut=50, stall=True), Reply(200, b"ok")) as server:
        assert (await opened(read=0.3).get(server.url)).body == b"ok"


async def test_a_stall_that_stays_is_a_timeout_that_names_the_host(opened: Opened) -> None:
    with serving(Reply(200, b"x" * 100, cut=50, stall=True)) as server:
        message = await failure(opened(read=0.2), server.url, SourceTimeout)
    assert message == f"{server.host} stopped answering (3 attempts): try again later"


async def test_an_answer_that_breaks_off_is_retried_and_never_returned_in_part(opened: Opened) -> None:
    with serving(Reply(200, b"x" * 100, cut=50)) as server:
        assert "broke off its answer" in await failure(opened(), server.url)
    assert len(server.requests) == 3


async def test_the_deadline_bounds_the_call_with_its_retries(opened: Opened) -> None:
    with serving(Reply(500, delay=0.1)) as server:
        started = time.monotonic()
        message = await failure(opened(deadline=0.5, attempts=50), server.url, SourceTimeout)
        took = time.monotonic() - started
    assert 0.4 < took < 5
    assert "no complete answer within 0.5 s; the last attempt:" in message
    assert "status 500" in message


async def test_a_drip_that_never_times_out_meets_the_deadline(opened: Opened) -> None:
    with serving(Reply(200, b"ok", delay=20)) as server, pytest.raises(SourceTimeout, match=r"within 0\.3 s"):
        await opened(read=60.0).get(server.url, deadline=0.3)


async def test_retry_after_keeps_everyone_off_the_host(opened: Opened) -> None:
    with serving(Reply(429, headers={"retry-after": "1"}), Reply(200, b"ok")) as server:
        client = opened()
        with pytest.raises(SourceError, match="asks for a pause of 1 s"):
            await client.get(server.url, deadline=0.9)
        replies = await asyncio.gather(client.get(server.url), client.get(server.url))
    assert [reply.body for reply in replies] == [b"ok"] * 2
    refused, *later = (request.at for request in server.requests)
    assert min(later) - refused >= 0.99


async def test_retry_after_may_be_a_date(opened: Opened) -> None:
    resume: list[int] = []

    def busy_once(_: Request) -> Reply:
        if resume:
            return Reply(200, b"ok")
        resume.append(int(time.time()) + 2)
        return Reply(503, headers={"retry-after": email.utils.formatdate(resume[0], usegmt=True)})

    with serving(answer=busy_once) as server:
        assert (await opened().get(server.url)).body == b"ok"
    first, second = (request.at for request in server.requests)
    assert second - first >= 0.9  # the date is one to two seconds ahead


@pytest.mark.parametrize("header", [{}, {"retry-after": "soon"}, {"retry-after": "-3"}])
async def test_429_without_a_readable_retry_after_backs_off(opened: Opened, header: dict[str, str]) -> None:
    with serving(Reply(429, headers=header), Reply(200, b"ok")) as server:
        assert (await opened(backoff=0.2).get(server.url)).body == b"ok"
    first, second = (request.at for request in server.requests)
    assert second - first >= 0.19


async def test_a_pause_longer_than_the_call_may_take_fails_at_once_and_for_all(opened: Opened) -> None:
    with serving(Reply(429, headers={"retry-after": "120"})) as server:
        client, started = opened(), time.monotonic()
        messages = [await failure(client, server.url) for _ in range(2)]
    assert all("asks for a pause of 120 s" in message for message in messages)
    assert time.monotonic() - started < 10
    assert len(server.requests) == 1


async def test_one_host_in_a_pause_leaves_others_alone(opened: Opened) -> None:
    with serving(Reply(429, headers={"retry-after": "120"})) as busy, serving(Reply(200, b"ok")) as free:
        client = opened()
        await failure(client, busy.url)
        assert (await client.get(free.url)).body == b"ok"


async def test_starts_are_spaced_by_the_interval() -> None:
    pacer, starts, began = Pacer(0.05), list[float](), time.monotonic()

    async def start() -> None:
        await pacer.turn()
        starts.append(time.monotonic())

    await asyncio.gather(*(start() for _ in range(5)))
    # From the beginning, not from one to the next: a start noted late by a busy machine shortens the gap after it.
    assert all(at - began >= 0.05 * turn for turn, at in enumerate(starts))


async def test_a_host_is_paced_whatever_its_paths(opened: Opened) -> None:
    with serving(Reply(200, b"ok", delay=0.2)) as server:
        client, began = opened(), time.monotonic()
        client.pace(server.url + "/entrez", 0.1)
        await asyncio.gather(*(client.get(f"{server.url}/{n}") for n in range(5)))
    arrivals = sorted(request.at - began for request in server.requests)
    assert all(at >= 0.1 * turn for turn, at in enumerate(arrivals))


async def test_a_caller_who_gives_up_does_not_cost_the_next_one_a_turn() -> None:
    pacer = Pacer(0.5)
    await pacer.turn()
    impatient = asyncio.create_task(pacer.turn())
    await asyncio.sleep(0.05)
    impatient.cancel()
    started = time.monotonic()
    await pacer.turn()
    assert time.monotonic() - started < 0.85  # 0.45 are left of the interval; a lost turn would cost 0.5 more


async def test_a_cool_down_is_lengthened_never_shortened_and_bounded() -> None:
    pacer = Pacer()
    assert pacer.cooling == 0
    pacer.cool_down(50)
    pacer.cool_down(1)
    assert 49 < pacer.cooling <= 50
    pacer.cool_down(1e12)
    assert 3599 < pacer.cooling <= 3600


@pytest.mark.parametrize("declared", [True, False])
async def test_an_oversize_body_is_refused(opened: Opened, declared: bool) -> None:
    body = b"x" * 20_000_000
    packed = Reply(200, body) if declared else Reply(200, gzip.compress(body, 1), {"content-encoding": "gzip"})
    with serving(packed) as server:
        message = await failure(opened(max_bytes=2**20), server.url)
    assert message == f"{server.host} sends more than 1 MiB in one reply: ask for less at once"
    assert len(server.requests) == 1


async def test_a_body_of_just_the_limit_is_read(opened: Opened) -> None:
    with serving(Reply(200, b"x" * 10_000)) as server:
        assert len((await opened().get(server.url)).body) == 10_000


async def test_a_broken_compression_is_an_error(opened: Opened) -> None:
    with serving(Reply(200, b"not gzip", {"content-encoding": "gzip"})) as server:
        assert "DecodingError" in await failure(opened(), server.url)


async def test_a_redirect_is_followed_to_another_host(opened: Opened) -> None:
    with serving(Reply(200, b"moved")) as target, serving(_moved(target.url + "/new?x=1")) as server:
        reply = await opened().get(server.url)
    assert (reply.body, reply.host) == (b"moved", target.host)
    assert target.requests[0].query == {"x": ["1"]}


def _moved(location: str) -> Reply:
    return Reply(302, headers={"location": location})


async def test_redirects_without_end_are_an_error(opened: Opened) -> None:
    with serving(_moved(f"/{SECRET}")) as server:
        assert "redirects more than 5 times" in await failure(opened(), server.url)
    assert len(server.requests) == 6


@pytest.mark.parametrize("location", [f"ftp://example.org/{SECRET}", f"file:///{SECRET}", f"http://a:b/{SECRET}"])
async def test_a_redirect_out_of_http_is_not_followed(opened: Opened, location: str) -> None:
    with serving(_moved(location)) as server:
        await failure(opened(), server.url)


async def test_a_name_that_does_not_resolve_fails_at_once(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)  # what a resolver says of .invalid, without asking one
    message = await failure(opened(), "http://eutils.invalid/entrez")
    assert message.startswith("eutils.invalid cannot be reached")
    assert "check the network and the address" in message


async def test_a_refused_connection_fails_at_once(opened: Opened) -> None:
    with serving() as server:
        url = server.url
    assert "cannot be reached" in await failure(opened(), url)


@pytest.mark.parametrize("url", ["", "no address", f"ftp://example.org/{SECRET}", "http://", "http://[", "http://a:b"])
async def test_an_address_that_is_none_is_an_error(opened: Opened, url: str) -> None:
    await failure(opened(), url)


async def test_text_that_cannot_be_sent_is_an_error(opened: Opened) -> None:
    with pytest.raises(SourceError, match="characters that cannot be sent"):
        await opened().get("http://127.0.0.1", {"term": "\ud800"})
    with pytest.raises(SourceError, match="too long"):
        await opened().get("http://127.0.0.1", {"term": "x" * 100_000})


@pytest.mark.parametrize("contact", ["ops@bücher.example", "ops@example.org\r\nX-Other: 1"])
def test_a_contact_that_cannot_be_sent_is_refused(contact: str) -> None:
    with pytest.raises(SettingsError, match="cannot be sent as a contact"):
        HttpClient(contact=contact)


async def test_loopback_is_reached_past_a_proxy(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with serving(Reply(200, b"ok")) as server:
        assert (await opened().get(server.url)).body == b"ok"


async def test_nothing_that_was_asked_is_logged(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    with serving(Reply(500), Reply(200, b"ok")) as server, caplog.at_level(logging.INFO):
        await opened().get(server.url, {"api_key": SECRET})
    assert SECRET not in caplog.text


async def test_cancelling_the_caller_is_not_taken_for_a_timeout(opened: Opened) -> None:
    with serving(Reply(delay=20)) as server:
        task = asyncio.create_task(opened(read=60.0).get(server.url))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


def test_pauses_double_up_to_a_bound_and_repeat_with_the_seed() -> None:
    def pauses(seed: int) -> list[float]:
        jitter = random.Random(seed)
        return [backoff(attempt, 0.5, jitter) for attempt in range(1, 12)]

    assert pauses(7) == pauses(7) != pauses(8)
    assert all(0.25 * 2**n <= pause <= 0.5 * 2**n for n, pause in enumerate(pauses(7)[:5]))
    assert 4 <= min(pauses(7)[5:]) <= max(pauses(7)) <= 8


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("HTTPS_PROXY", "socks5://127.0.0.1:1", r"httpx\[socks\]"),
        ("ALL_PROXY", "://", "no address"),
        ("HTTP_PROXY", "gopher://x", "no address"),
    ],
)
def test_a_proxy_that_cannot_be_is_a_failure_of_the_source(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SourceError, match=told):
        HttpClient()


def test_certificates_that_cannot_be_read_are_a_failure_of_the_source(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "none.pem").write_text("nothing")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    _certificates.cache_clear()
    try:
        with pytest.raises(SourceError, match="SSL_CERT_FILE"):
            HttpClient()
    finally:
        _certificates.cache_clear()
