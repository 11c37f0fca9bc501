from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.errors import SourceError
from tests.emulators.http import Emulator, Reply
from tests.emulators.umls import (
    BROKEN,
    BUSY,
    HTML_PAGE,
    KEY,
    LUNG,
    OTHER_JSON,
    PNEUMONIA,
    TABLE,
    TRUNCATED,
    Concept,
    serving_umls,
)
from tests.tools.knowledge.rest.conftest import Opened
from tools.knowledge.rest import client as client_module
from tools.knowledge.rest.client import MAX_PAGES, PAGE_SIZE, UmlsClient

NOTHING = "C7777777"


def paths(server: Emulator) -> list[str]:
    return [request.path for request in server.requests]


async def test_a_search_sends_what_the_service_documents(opened: Opened) -> None:
    with serving_umls() as (server, url):
        hits = await opened(url).search("  lung   inflammation ", limit=5, vocabularies=("CHV", "MSH"))
    assert [(hit.ui, hit.name) for hit in hits] == [(PNEUMONIA, "Pneumonia")]
    (request,) = server.requests
    assert request.path == "/rest/search/current"
    assert {name: values[0] for name, values in request.query.items()} == {
        "string": "lung inflammation",
        "searchType": "exact",
        "sabs": "CHV,MSH",
        "pageNumber": "1",
        "pageSize": "5",
        "apiKey": KEY,
    }


async def test_the_row_that_says_no_results_is_none(opened: Opened) -> None:
    with serving_umls() as (_, url):
        assert await opened(url).search("no such thing", limit=5, search_type="words") == ()


@pytest.mark.parametrize("text", ["", " \n ", "x" * 251])
async def test_what_is_no_term_is_not_asked(opened: Opened, text: str) -> None:
    with serving_umls() as (server, url):
        assert await opened(url).search(text, limit=5) == ()
    assert server.requests == []


async def test_a_concept_has_name_types_and_release(opened: Opened) -> None:
    with serving_umls() as (_, url):
        record = await opened(url).concept(PNEUMONIA)
    assert record is not None
    assert (record.ui, record.name, record.release) == (PNEUMONIA, "Pneumonia", "2024AA")
    assert [kind.name for kind in record.semantic_types] == ["Disease or Syndrome"]


async def test_404_is_nothing_and_is_remembered(opened: Opened) -> None:
    with serving_umls() as (server, url):
        client = opened(url)
        for _ in range(2):
            assert await client.concept(NOTHING) is None
            assert await client.definitions(LUNG) == ()
            assert await client.relations(LUNG) == ()
            assert await client.atoms(LUNG) == ()
            assert await client.atom("A9999999") is None
            assert await client.code("MSH", "D000000") is None
    assert len(server.requests) == 6


async def test_404_of_the_search_itself_is_a_wrong_address(opened: Opened) -> None:
    with serving_umls() as (_, url), pytest.raises(SourceError, match="check MEDATTEST_UMLS_URL"):
        await opened(f"{url}/wrong").search("pneumonia", limit=5)


@pytest.mark.parametrize(("text", "expected"), [("rare", 60), ("rare disease", 60), ("snoring", 1)])
async def test_a_search_is_paged_until_there_are_enough(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, text: str, expected: int
) -> None:
    monkeypatch.setattr(client_module, "PAGE_SIZE", 25)
    with serving_umls() as (server, url):
        client = opened(url)
        hits = await client.search(text, limit=100, search_type="words")
        assert len({hit.ui for hit in hits}) == len(hits) == expected
        assert len(server.requests) == -(-expected // 25)
        assert len(await client.search("rare", limit=30, search_type="words")) == 30


def _many(count: int) -> dict[str, Concept]:
    return {PNEUMONIA: Concept("Pneumonia", [], [("MSH", f"name {n}") for n in range(count)])}


@pytest.mark.parametrize(
    ("names", "pages"), [(1, 1), (PAGE_SIZE, 1), (PAGE_SIZE + 1, 2), (PAGE_SIZE * (MAX_PAGES + 2), MAX_PAGES)]
)
async def test_atoms_are_paged_up_to_a_bound(opened: Opened, names: int, pages: int) -> None:
    with serving_umls(table=_many(names)) as (server, url):
        atoms = await opened(url).atoms(PNEUMONIA)
    assert [atom.name for atom in atoms] == [f"name {n}" for n in range(min(names, PAGE_SIZE * MAX_PAGES))]
    assert [request.query["pageNumber"] for request in server.requests] == [[str(n + 1)] for n in range(pages)]
    assert server.requests[0].query["language"] == ["ENG"]


async def test_a_service_that_sends_the_same_page_for_ever_is_not_asked_for_ever(opened: Opened) -> None:
    page = Reply(200, b'{"pageSize": 1, "result": [{"name": "Pneumonia", "rootSource": "MSH"}]}')
    with serving_umls(*[page] * 10) as (server, url):
        assert len(await opened(url).atoms(PNEUMONIA)) == 1
    assert len(server.requests) == 2


async def test_requests_are_paced(opened: Opened) -> None:
    with serving_umls() as (server, url):
        client, began = opened(url), time.monotonic()
        await asyncio.gather(*(client.concept(f"C09000{n:02}") for n in range(8)))
    arrivals = sorted(request.at - began for request in server.requests)
    assert all(at >= 0.05 * turn for turn, at in enumerate(arrivals))


async def test_a_second_client_finds_the_reply_stored(opened: Opened) -> None:
    with serving_umls() as (server, url):
        first = await opened(url).relations(PNEUMONIA)
        asked = len(server.requests)
        assert await opened(url).relations(PNEUMONIA) == first
        assert await opened(url, "offline", key="").relations(PNEUMONIA) == first
        assert len(server.requests) == asked == 1
        assert await opened(url, "refresh").relations(PNEUMONIA) == first
        assert len(server.requests) == 2


async def test_offline_asks_nothing_and_says_so(opened: Opened) -> None:
    with serving_umls() as (server, url):
        with pytest.raises(SourceError, match=r"^offline: the UMLS service was not asked"):
            await opened(url, "offline", key="").concept(PNEUMONIA)
        assert server.requests == []


async def test_a_refresh_replaces_what_is_stored(opened: Opened) -> None:
    renamed = {PNEUMONIA: Concept("Lung inflammation", [])}
    table = dict(TABLE)
    with serving_umls(table=table) as (_, url):
        await opened(url).concept(PNEUMONIA)
        table |= renamed
        for mode, name in (("normal", "Pneumonia"), ("refresh", "Lung inflammation"), ("normal", "Lung inflammation")):
            record = await opened(url, mode).concept(PNEUMONIA)
            assert record is not None
            assert record.name == name


async def test_without_a_key_nothing_is_asked(opened: Opened) -> None:
    with serving_umls() as (server, url):
        with pytest.raises(SourceError, match="set MEDATTEST_UMLS_KEY"):
            await opened(url, key="").concept(PNEUMONIA)
        assert server.requests == []


@pytest.mark.parametrize("faults", [(), (Reply(403),)])
async def test_a_refused_key_names_the_setting_and_not_the_key(opened: Opened, faults: tuple[Reply, ...]) -> None:
    wrong = "wrong-but-still-secret"
    with (
        serving_umls(*faults) as (server, url),
        pytest.raises(SourceError, match=r"does not accept the UMLS key.*MEDATTEST_UMLS_KEY") as caught,
    ):
        await opened(url, key=wrong).concept(PNEUMONIA)
    assert wrong not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("faults", [(BUSY,), (BROKEN, BROKEN), (Reply(503), Reply(200, b"{", cut=0))])
async def test_what_passes_is_asked_again(opened: Opened, faults: tuple[Reply, ...]) -> None:
    with serving_umls(*faults) as (server, url):
        record = await opened(url).concept(PNEUMONIA)
        assert record is not None
        assert len(server.requests) == len(faults) + 1
        if faults == (BUSY,):
            assert server.requests[1].at - server.requests[0].at >= 0.99


FAULTS = {
    "busy": ([Reply(429, headers={"retry-after": "600"})], "asks for a pause of 600 s"),
    "broken": ([BROKEN] * 3, r"status 500 \(3 attempts\)"),
    "page": ([HTML_PAGE], "text/html that is no JSON"),
    "truncated": ([TRUNCATED], "application/json that is no JSON"),
    "other": ([OTHER_JSON], "JSON that is not what the UMLS service sends"),
    "list": ([Reply(200, b"[1, 2]")], "JSON that is not what the UMLS service sends"),
    "empty": ([Reply(200, b"{}")], r"not what the UMLS service sends \(result: Field required\)"),
}
ASKING: dict[str, Callable[[UmlsClient], Awaitable[object]]] = {
    "search": lambda client: client.search("pneumonia", limit=5),
    "concept": lambda client: client.concept(PNEUMONIA),
    "atoms": lambda client: client.atoms(PNEUMONIA),
    "definitions": lambda client: client.definitions(PNEUMONIA),
    "relations": lambda client: client.relations(PNEUMONIA),
}


@pytest.mark.parametrize("asking", ASKING)
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_an_error_without_the_key_and_is_not_stored(
    opened: Opened, caplog: pytest.LogCaptureFixture, cache_path: Path, fault: str, asking: str
) -> None:
    caplog.set_level(logging.DEBUG)
    replies, message = FAULTS[fault]
    with serving_umls(*replies) as (_, url):
        with pytest.raises(SourceError, match=message) as caught:
            await ASKING[asking](opened(url))
        assert await ASKING[asking](opened(url)), "the fault is over, and was not stored"
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in f"{error!r}"
        error = error.__cause__ or error.__context__
    assert KEY not in caplog.text
    assert KEY.encode() not in b"".join(file.read_bytes() for file in cache_path.parent.iterdir())


async def test_a_key_that_a_reply_repeats_is_not_stored(opened: Opened, cache_path: Path) -> None:
    address = f"https://uts-ws.nlm.nih.gov/rest/content/2024AA/CUI/C0015967?apiKey={KEY}"
    row = f'{{"relationLabel": "RO", "relatedId": "{address}", "relatedIdName": "Fever", "uri": "{address}"}}'
    with serving_umls(Reply(200, f'{{"pageCount": 1, "result": [{row}]}}'.encode())) as (_, url):
        client = opened(url)
        assert [row.related_id_name for row in await client.relations(PNEUMONIA)] == ["Fever"]
        assert await client.relations(PNEUMONIA)
    stored = b"".join(file.read_bytes() for file in cache_path.parent.iterdir())
    assert b"Fever" in stored
    assert KEY.encode() not in stored


async def test_a_service_that_cannot_be_reached_is_an_error(opened: Opened) -> None:
    with serving_umls() as (_, url):
        pass
    with pytest.raises(SourceError, match="cannot be reached") as caught:
        await opened(url).concept(PNEUMONIA)
    assert KEY not in str(caught.value)
