from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import SourceError
from core.http import Limits
from tests.emulators.entrez import KEY, EntrezService, parameters, serving_entrez
from tests.emulators.entrez_records import ARTICLES, article
from tests.emulators.http import Emulator
from tests.tools.pubmed.conftest import CONTACT, Opened
from tools.pubmed.client import BATCH, INTERVAL, INTERVAL_WITH_KEY

TERM = "metformin[Title/Abstract]"


def endpoints(server: Emulator) -> list[str]:
    return [request.path.rpartition("/")[2].removesuffix(".fcgi") for request in server.requests]


async def test_ten_articles_are_one_search_and_one_fetch(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        answer = await opened(url).articles(TERM, 10)
    assert endpoints(server) == ["esearch", "efetch"]
    assert len(answer.records) == 10
    assert tuple(record.pmid for record in answer.records) == answer.found.ids
    assert answer.found.count == 25
    asked = parameters(server.requests[0])
    assert asked == {
        "db": "pubmed",
        "tool": "medattest",
        "email": CONTACT,
        "term": TERM,
        "retmax": "10",
        "retmode": "json",
        "sort": "relevance",
    }
    assert parameters(server.requests[1])["id"] == ",".join(answer.found.ids)


async def test_long_questions_are_posted(opened: Opened) -> None:
    long = " OR ".join(["metformin[Title/Abstract]"] * 60)
    with serving_entrez() as (server, url):
        assert len((await opened(url).articles(long, 25)).records) == 25
    assert [request.method for request in server.requests] == ["POST", "GET"]
    assert not server.requests[0].query


async def test_many_ids_are_posted_and_still_more_stay_on_the_history_server(opened: Opened) -> None:
    many = [article(40_000_000 + n, f"Metformin {n}.", "Text.") for n in range(BATCH * 2 + 50)]
    with serving_entrez(EntrezService(many)) as (server, url):
        client = opened(url)
        assert len((await client.articles(TERM, BATCH)).records) == BATCH
        assert [request.method for request in server.requests] == ["GET", "POST"]
        answer = await client.articles(TERM, 1_000)
        assert tuple(record.pmid for record in answer.records) == answer.found.ids
        assert len(answer.records) == len(many)
    search, *fetches = map(parameters, server.requests[2:])
    assert search["usehistory"] == "y"
    assert [(asked["query_key"], asked["retstart"], "id" in asked) for asked in fetches] == [
        ("1", str(start), False) for start in range(0, len(many), BATCH)
    ]


async def test_records_by_id_come_in_order_and_in_batches(opened: Opened) -> None:
    many = [article(40_000_000 + n, f"Title {n}.") for n in range(BATCH + 5)]
    wanted = [str(40_000_000 + n) for n in reversed(range(BATCH + 5))]
    with serving_entrez(EntrezService(many)) as (server, url):
        found = await opened(url).records(["x", "0", *wanted, wanted[0], "99999999"])
    assert [record.pmid for record in found] == wanted
    assert len(server.requests) == 3, "the second batch lacks one, and is asked for once more"


async def test_nothing_found_needs_no_fetch_and_is_remembered(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        client = opened(url)
        for _ in range(2):
            answer = await client.articles("xyzzy[Title/Abstract]", 10)
            assert (answer.found.count, answer.records) == (0, ())
            assert answer.found.remarks == ("xyzzy: not found",)
    assert endpoints(server) == ["esearch"]


async def test_what_pubmed_ignored_is_told(opened: Opened) -> None:
    with serving_entrez() as (_, url):
        answer = await opened(url).articles('"metformin aorta"[Title/Abstract] OR "marfan syndrome"[Title/Abstract]', 5)
    assert answer.found.count == 4
    assert answer.found.remarks == ('"metformin aorta": not found as a phrase',)


@pytest.mark.parametrize(("key", "interval"), [("", INTERVAL), (KEY, INTERVAL_WITH_KEY)])
async def test_starts_are_paced_by_whether_there_is_a_key(opened: Opened, key: str, interval: float) -> None:
    service = EntrezService(limited=True)
    with serving_entrez(service) as (server, url):
        client = opened(url, key=key, pace=None)
        await asyncio.gather(*(client.articles(f"{TERM} AND {n}", 5) for n in range(3)))
    arrivals = sorted(request.at for request in server.requests)
    assert min(later - earlier for earlier, later in pairwise(arrivals)) > interval - 0.05
    assert service.refused == 0


@pytest.mark.parametrize("retry_after", [None, "1"])
async def test_a_caller_over_the_limit_waits_and_loses_nothing(opened: Opened, retry_after: str | None) -> None:
    service = EntrezService(limited=True, retry_after=retry_after)
    with serving_entrez(service) as (_, url):
        client = opened(url, pace=0.2, limits=Limits())  # five starts a second, where three are allowed
        answers = await asyncio.gather(*(client.articles(f"{TERM} OR {n}", 5) for n in range(3)))
    assert service.refused > 0
    assert [len(answer.records) for answer in answers] == [5, 5, 5]


async def test_a_repeated_question_needs_no_request_and_no_time(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        first = await opened(url).articles(TERM, 10)
        client = opened(url)
        await client.articles("something else", 10)  # the file is open
        asked = len(server.requests)
        seconds = []
        for _ in range(5):
            began = time.perf_counter()
            assert await client.articles(f" {TERM} ", 10) == first
            seconds.append(time.perf_counter() - began)
        assert len(server.requests) == asked
    assert min(seconds) < 0.010


async def test_offline_is_answered_from_what_is_stored_or_not_at_all(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        first = await opened(url).articles(TERM, 10)
        offline = opened(url, "offline")
        assert await offline.articles(TERM, 10) == first
        with pytest.raises(SourceError, match=r"^offline: PubMed was not asked"):
            await offline.articles("losartan", 10)
        assert len(server.requests) == 2


async def test_a_refresh_asks_anew_and_replaces(opened: Opened) -> None:
    service = EntrezService()
    with serving_entrez(service) as (server, url):
        await opened(url).articles(TERM, 1)
        service._indexed[0].xml = article(30_000_000, "Corrected title.", "Text.")
        for mode, title in (
            ("normal", "Metformin and ov"),
            ("refresh", "Corrected title."),
            ("normal", "Corrected title."),
        ):
            (found,) = (await opened(url, mode).articles(TERM, 1)).records
            assert found.title.startswith(title)
    assert len(server.requests) == 4


async def test_the_key_is_sent_and_is_nowhere_else(opened: Opened, cache_path: Path) -> None:
    with serving_entrez() as (server, url):
        await opened(url, key=KEY).articles(TERM, 3)
        assert {parameters(request).get("api_key") for request in server.requests} == {KEY}
        await opened(url).articles(TERM, 3)
        assert len(server.requests) == 2, "who asks makes no difference to what is stored"
    assert KEY.encode() not in b"".join(file.read_bytes() for file in cache_path.parent.iterdir())


async def test_a_record_that_does_not_come_is_named(opened: Opened) -> None:
    service = EntrezService()
    with serving_entrez(service) as (_, url):
        kept = service._indexed
        service._indexed = [*kept[:2], replace(kept[2], xml="<none/>"), *kept[3:]]
        answer = await opened(url).articles(TERM, 4)
    assert answer.missing == ("30000002",)
    assert len(answer.records) == 3


async def test_what_is_no_question_is_not_asked(opened: Opened) -> None:
    with serving_entrez() as (server, url):
        client = opened(url)
        assert (await client.articles("  ", 10)).records == ()
        assert (await client.articles(TERM, 0)).records == ()
        assert await client.records(["no id"]) == ()
    assert server.requests == []
    assert len(ARTICLES) == 29
