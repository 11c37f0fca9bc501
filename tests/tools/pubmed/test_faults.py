"""What a service and a network can do wrong; each ends in the right answer or one named error, in bounded time."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from pathlib import Path

import pytest

from core.errors import SourceError, SourceTimeout
from tests.emulators.entrez import (
    BACKEND,
    BROKEN,
    HTML,
    HTML_PAGE,
    JSON,
    KEY,
    TEXT,
    EntrezService,
    records_of,
    serving_entrez,
)
from tests.emulators.entrez_records import ARTICLES
from tests.emulators.http import Reply, never_accepting, serving
from tests.tools.pubmed.conftest import Opened

TERM = "metformin[Title/Abstract]"
IDS = ",".join(f"3000000{n}" for n in range(5))
WHOLE = records_of(ARTICLES[:5])
BETWEEN = records_of(ARTICLES[:4])


def faulty(endpoint: str, *replies: Reply) -> EntrezService:
    return EntrezService(faults={endpoint: list(replies)})


async def answered(opened: Opened, service: EntrezService) -> int:
    with serving_entrez(service) as (server, url):
        answer = await opened(url, key=KEY).articles(TERM, 5)
        assert ",".join(answer.found.ids) == IDS
        assert len(answer.records) == 5
        return len(server.requests)


async def refused(opened: Opened, service: EntrezService, message: str) -> None:
    with serving_entrez(service) as (_, url):
        began = time.monotonic()
        with pytest.raises(SourceError, match=message) as caught:
            await opened(url, key=KEY).articles(TERM, 5)
        assert time.monotonic() - began < 5.0
        error: BaseException | None = caught.value
        while error is not None:
            assert KEY not in f"{error!r}"
            error = error.__cause__ or error.__context__
        assert len((await opened(url, key=KEY).articles(TERM, 5)).records) == 5, "the fault is over, and was not stored"


async def test_a_connection_that_is_never_accepted(opened: Opened) -> None:
    with never_accepting() as url:
        began = time.monotonic()
        with pytest.raises(SourceTimeout, match="accepts no connection in time"):
            await opened(f"{url}/entrez/eutils").articles(TERM, 5)
        assert time.monotonic() - began < 5.0


async def test_a_stall_in_mid_body_passes(opened: Opened) -> None:
    stalled = Reply(200, WHOLE, TEXT, cut=500, stall=True)
    assert await answered(opened, faulty("efetch", stalled)) == 3


async def test_a_stall_that_stays(opened: Opened) -> None:
    stalled = Reply(200, WHOLE, TEXT, cut=500, stall=True)
    await refused(opened, faulty("efetch", *[stalled] * 3), "stopped answering")


async def test_the_whole_query_has_one_deadline(opened: Opened) -> None:
    with serving_entrez(EntrezService(latency=0.35)) as (_, url):
        began = time.monotonic()
        with pytest.raises(SourceTimeout, match="no complete answer"):
            await opened(url).articles(TERM, 5, deadline=0.5)
        assert time.monotonic() - began < 2.0


async def test_a_burst_of_500_passes(opened: Opened) -> None:
    assert await answered(opened, faulty("esearch", BROKEN, BROKEN)) == 4


async def test_a_500_that_stays(opened: Opened) -> None:
    await refused(opened, faulty("efetch", *[BROKEN] * 3), r"status 500 \(3 attempts\)")


@pytest.mark.parametrize("endpoint", ["esearch", "efetch"])
async def test_a_page_with_status_200(opened: Opened, endpoint: str) -> None:
    assert await answered(opened, faulty(endpoint, HTML_PAGE)) == 3
    message = "text/html that is no JSON" if endpoint == "esearch" else "sent no records but: Scheduled maintenance"
    with serving_entrez(faulty(endpoint, HTML_PAGE, HTML_PAGE)) as (_, url), pytest.raises(SourceError, match=message):
        await opened(url, "refresh").articles(TERM, 5)


async def test_an_error_that_esearch_says_with_status_200(opened: Opened) -> None:
    assert await answered(opened, faulty("esearch", BACKEND)) == 3
    await refused_anew(
        opened, faulty("esearch", BACKEND, BACKEND), "could not search: Search Backend failed: connection"
    )


async def refused_anew(opened: Opened, service: EntrezService, message: str) -> None:
    with serving_entrez(service) as (_, url), pytest.raises(SourceError, match=message):
        await opened(url, "refresh", key=KEY).articles(TERM, 5)


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{}",
        b'{"esearchresult": []}',
        b'{"esearchresult": {"count": "5"}}',
        b'{"esearchresult": {"count": "many", "idlist": []}}',
        b'{"esearchresult": {"count": "1", "idlist": ["1; DROP"]}}',
        b'{"esearchresult": {"count": "1", "idlist": [{"id": 1}]}}',
    ],
)
async def test_other_json(opened: Opened, body: bytes) -> None:
    await refused(opened, faulty("esearch", *[Reply(200, body, JSON)] * 2), "not what esearch sends")


@pytest.mark.parametrize("length", [len(WHOLE) - 20, len(WHOLE) - 80, 900])
async def test_text_that_breaks_off_within_a_record_passes(opened: Opened, length: int) -> None:
    assert await answered(opened, faulty("efetch", Reply(200, WHOLE[:length], TEXT))) == 3


async def test_text_that_always_breaks_off(opened: Opened) -> None:
    cut = Reply(200, WHOLE[:900], TEXT)
    await refused(opened, faulty("efetch", cut, cut), "breaks off within a record")


async def test_text_that_breaks_off_between_two_records_passes(opened: Opened) -> None:
    assert await answered(opened, faulty("efetch", Reply(200, BETWEEN, TEXT))) == 3


async def test_text_that_always_breaks_off_between_two_records_names_what_is_missing(opened: Opened) -> None:
    cut = Reply(200, BETWEEN, TEXT)
    with serving_entrez(faulty("efetch", cut, cut)) as (_, url):
        answer = await opened(url, key=KEY).articles(TERM, 5)
    assert (len(answer.records), answer.missing) == (4, ("30000004",))


async def test_an_empty_result_is_no_error(opened: Opened) -> None:
    with serving_entrez(EntrezService(articles=())) as (_, url):
        assert (await opened(url).articles(TERM, 5)).records == ()


async def test_a_set_of_no_records_where_some_were_found(opened: Opened) -> None:
    empty = [Reply(200, b"", TEXT)] * 2
    await refused(opened, faulty("efetch", *empty), "found 5 articles and sent none of them")


async def test_a_reply_of_20_mb_is_not_read(opened: Opened) -> None:
    huge = Reply(200, b" " * 20 * 2**20, TEXT)
    await refused(opened, faulty("efetch", huge), "sends more than 1 MiB in one reply")


async def test_a_redirect_is_followed(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        moved = Reply(301, b"", {"location": f"{url}/efetch.fcgi?db=pubmed&id={IDS}&rettype=medline&retmode=text"})
        assert await answered(opened, faulty("efetch", moved)) == 2
        assert len(server.requests) == 1


async def test_a_name_that_does_not_resolve(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unresolved(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unresolved)
    with pytest.raises(SourceError, match=r"eutils\.example cannot be reached"):
        await opened("http://eutils.example/entrez/eutils").articles(TERM, 5)


async def test_429_with_a_pause_beyond_the_deadline_is_said(opened: Opened) -> None:
    with serving_entrez(faulty("esearch", Reply(429, b"", {"retry-after": "600"}))) as (server, url):
        with pytest.raises(SourceError, match="asks for a pause of 600 s"):
            await opened(url).articles(TERM, 5)
        assert len(server.requests) == 1


async def test_a_refused_key_names_the_setting_and_not_the_key(
    opened: Opened, caplog: pytest.LogCaptureFixture, cache_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = "wrong-but-still-secret"
    with serving_entrez() as (_, url), pytest.raises(SourceError, match="MEDATTEST_ENTREZ_KEY") as caught:
        await opened(url, key=wrong).articles(TERM, 5)
    assert wrong not in f"{caught.value!r} {caught.value.__cause__!r} {caplog.text}"


async def test_a_reply_that_repeats_the_key_does_not_show_it(opened: Opened) -> None:
    said = Reply(200, f'{{"esearchresult": {{"ERROR": "bad api_key={KEY}"}}}}'.encode(), JSON)
    await refused_anew(opened, faulty("esearch", said, said), "could not search: bad api_key=…")


async def test_an_address_that_is_no_service(opened: Opened) -> None:
    with serving(Reply(404, b"", HTML)) as server, pytest.raises(SourceError, match="status 404"):
        await opened(f"{server.url}/elsewhere").articles(TERM, 5)
