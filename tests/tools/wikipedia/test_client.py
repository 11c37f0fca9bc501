from __future__ import annotations

import asyncio
import time

import pytest

from core.errors import SettingsError, SourceError
from core.privacy.boundary import noting
from tests.emulators.http import Reply, never_accepting
from tests.emulators.mediawiki import (
    BROKEN,
    BUSY,
    BUSY_WITHOUT,
    HTML_PAGE,
    OTHER_JSON,
    STALLED,
    TRUNCATED,
    lagging,
    refused,
    serving_wikipedia,
)
from tests.tools.wikipedia.conftest import Opened
from tools.wikipedia.client import AT_ONCE, address

pytestmark = pytest.mark.timeout(30)


async def test_a_search_is_one_request_that_says_who_asks(opened: Opened) -> None:
    with serving_wikipedia() as (server, _, url):
        hits = await opened(url).search("  marfan   syndrome ", 5)
    assert [(hit.pageid, hit.title, hit.is_disambiguation) for hit in hits] == [
        (11, "Marfan syndrome", False),
        (12, "Marfan", True),
        (15, "Marfanoid habitus", False),
    ]
    (request,) = server.requests
    assert request.path == "/w/api.php"
    assert "ops@example.org" in request.headers["user-agent"]
    asked = {name: values[0] for name, values in request.query.items()}
    assert asked["gsrsearch"] == "marfan syndrome"
    assert (asked["maxlag"], asked["formatversion"], asked["action"]) == ("5", "2", "query")


async def test_more_hits_than_wanted_are_not_asked_for(opened: Opened) -> None:
    with serving_wikipedia() as (server, _, url):
        assert len(await opened(url).search("aorta", 3)) == 3
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["", " \n ", "no such words anywhere"])
async def test_nothing_is_found_for_nothing(opened: Opened, text: str) -> None:
    with serving_wikipedia() as (_, _, url):
        assert await opened(url).search(text, 5) == ()


async def test_a_long_query_is_cut_to_what_is_accepted(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        assert await opened(url).search("aorta " * 200, 5)


async def test_a_page_is_read_whole_in_one_request(opened: Opened) -> None:
    with serving_wikipedia() as (server, _, url):
        page = await opened(url).page(11)
    assert page is not None
    assert "== Signs and symptoms ==" in page.extract
    assert page.revisions[0].revid == 1234567
    assert page.fullurl == "https://en.wikipedia.org/wiki/Marfan_syndrome"
    assert len(page.categories) == 3
    (request,) = server.requests
    assert request.query["exlimit"] == ["1"]
    assert request.query["explaintext"] == ["1"]


async def test_properties_that_come_in_parts_are_put_together(opened: Opened) -> None:
    with serving_wikipedia(batch=1) as (server, _, url):
        page = await opened(url).page(11)
    assert page is not None
    assert len(page.categories) == 3
    assert page.extract.count("== Signs and symptoms ==") == 1
    assert len(server.requests) == 3


async def test_redirects_are_followed(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        page = await opened(url).page("MFS1")
    assert page is not None
    assert page.title == "Marfan syndrome"


@pytest.mark.parametrize("which", [4711, "No such page", "a<b"])
async def test_a_missing_page_is_none(opened: Opened, which: int | str) -> None:
    with serving_wikipedia() as (_, _, url):
        assert await opened(url).page(which) is None


async def test_three_are_asked_at_once_at_most(opened: Opened) -> None:
    with serving_wikipedia(delay=0.1) as (_, wiki, url):
        client = opened(url)
        await asyncio.gather(*(client.page(100 + n) for n in range(6)))
    assert wiki.most == AT_ONCE


@pytest.mark.parametrize(
    ("faults", "waited"),
    [
        ((lagging("1"),), 1.0),
        ((lagging("0"), lagging("0")), 0.0),
        ((refused("ratelimited"),), 0.0),
        ((BUSY,), 1.0),
        ((BUSY_WITHOUT, BROKEN), 0.0),
    ],
)
async def test_a_busy_service_is_asked_again_when_it_says(
    opened: Opened, faults: tuple[Reply, ...], waited: float
) -> None:
    started = time.monotonic()
    with serving_wikipedia(*faults) as (server, _, url):
        client = opened(url)
        client._lag_pause = 0.05  # where it does not say
        assert await client.search("aorta", 1)
    assert waited <= time.monotonic() - started < waited + 3
    assert len(server.requests) == len(faults) + 1


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ((lagging("0"),) * 3, r"is too busy \(maxlag; 3 attempts, it asks for a pause of 0 s\)"),
        ((lagging("120"),), r"is too busy \(maxlag; 1 attempts, it asks for a pause of 120 s\)"),
        ((BUSY_WITHOUT,) * 3, "answered with status 429"),
        ((Reply(429, headers={"retry-after": "600"}),) * 3, "asks for a pause of 600 s"),
        ((BROKEN,) * 3, r"answered with status 500 \(3 attempts\)"),
        ((refused("badvalue"),), r"refuses what it was asked \(badvalue\)"),
        ((HTML_PAGE,), "answered with text/html that is no JSON"),
        ((TRUNCATED,), "that is no JSON"),
        ((OTHER_JSON,), r"not what MediaWiki sends \(query\.pages"),
        ((STALLED,) * 3, "stopped answering"),
        ((Reply(404),), "answered with status 404: check the address"),
        ((Reply(200, b"[]"),), "not what MediaWiki sends"),
    ],
)
async def test_a_failure_is_an_error_that_says_nothing_of_the_question(
    opened: Opened, faults: tuple[Reply, ...], message: str
) -> None:
    started = time.monotonic()
    with serving_wikipedia(*faults) as (_, _, url), pytest.raises(SourceError, match=message) as caught:
        await opened(url).search("marfan patient", 5)
    assert "patient" not in str(caught.value)
    assert time.monotonic() - started < 8


async def test_a_service_that_accepts_nobody_is_given_up(opened: Opened) -> None:
    with never_accepting() as url, pytest.raises(SourceError, match="accepts no connection in time"):
        await opened(f"{url}/w/api.php").search("marfan", 5)


async def test_what_was_asked_is_kept(opened: Opened) -> None:
    with serving_wikipedia() as (server, _, url):
        first = await opened(url).page(11), await opened(url).search("aorta", 2)
        client = opened(url)
        assert (await client.page(11), await client.search("aorta", 2)) == first
        assert len(server.requests) == 2
        await opened(url, "refresh").page(11)
        assert len(server.requests) == 3
    assert await opened(url, "offline").page(11) == first[0]
    with pytest.raises(SourceError, match="offline: Wikipedia was not asked"):
        await opened(url, "offline").page(12)


async def test_a_failure_is_not_kept(opened: Opened) -> None:
    with serving_wikipedia(HTML_PAGE) as (_, _, url):
        client = opened(url)
        with pytest.raises(SourceError):
            await client.page(11)
        assert await client.page(11) is not None


async def test_no_identifier_reaches_a_key(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.privacy.boundary.stays_here", lambda address: False)  # as if it were elsewhere
    with serving_wikipedia() as (server, _, url), noting() as noted:
        client = opened(url)
        assert await client.search("Mr Ito aorta", 2) == await client.search("Mrs Quill aorta", 2)
    assert [request.query["gsrsearch"] for request in server.requests] == [["aorta"]]
    assert noted.kinds == ("name",)


def test_a_language_is_an_address() -> None:
    assert address("en") == "https://en.wikipedia.org/w/api.php"
    assert address("zh-min-nan") == "https://zh-min-nan.wikipedia.org/w/api.php"
    for language in ("", "EN", "en.evil.example/", "english language"):
        with pytest.raises(SettingsError, match="no language of Wikipedia"):
            address(language)
