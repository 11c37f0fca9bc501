from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from core.errors import SourceError
from core.schema import Concept
from core.source import SourceQuery
from tests.emulators.mediawiki import BROKEN, serving_wikipedia
from tests.tools.wikipedia.conftest import Opened
from tools.wikipedia.langchain import wikipedia_tool
from tools.wikipedia.source import LICENCE, STUB, WikipediaSource, search_texts

pytestmark = pytest.mark.timeout(30)
MARFAN = Concept(id="C0024796", name="Marfan syndrome")


def giving(source: WikipediaSource) -> Callable[[], Awaitable[WikipediaSource]]:
    async def give() -> WikipediaSource:
        return source

    return give


def asking(question: str, *concepts: Concept, limit: int = 30) -> SourceQuery:
    return SourceQuery(queries=(question,), concepts=concepts, limit=limit)


async def test_a_question_is_answered_by_sections_with_revision_link_and_licence(opened: Opened) -> None:
    question = "Do beta blockers slow the aortic root in Marfan syndrome?"
    with serving_wikipedia() as (server, _, url):
        found = await WikipediaSource(opened(url)).search(asking(question, MARFAN))
    by_id = {evidence.id: evidence for evidence in found}
    best = found[0]
    assert best.id == "wikipedia:Marfan_syndrome#Heart_2"
    assert best.text.startswith("Beta blockers such as propranolol")
    assert best.title == "Marfan syndrome: Management: Heart"
    assert best.url == "https://en.wikipedia.org/wiki/Marfan_syndrome#Heart_2"
    assert (best.version, best.published) == ("1234567", "2024-05-06")
    assert (best.licence, best.owner, best.source, best.query) == (LICENCE, "Wikipedia", "wikipedia", question)
    assert best.notice is None
    assert "wikipedia:Marfan_syndrome#Surveillance:2" in by_id
    assert by_id["wikipedia:Marfan_syndrome#"].url == "https://en.wikipedia.org/wiki/Marfan_syndrome"
    assert len(by_id) == len(found)
    assert not [evidence for evidence in found if "References" in evidence.title or "See also" in evidence.title]
    assert len(server.requests) == 3  # one search, two pages


async def test_disambiguation_is_left_out_and_a_stub_is_named(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        found = await WikipediaSource(opened(url)).search(asking("Marfan"))
    pages = {evidence.title.partition(":")[0]: evidence.notice for evidence in found}
    assert pages == {"Marfan syndrome": None, "Marfanoid habitus": STUB}  # not "Marfan", which lists both
    with serving_wikipedia() as (_, _, url):
        found = await WikipediaSource(opened(url)).search(asking("What is a marfanoid habitus?"))
    assert [(evidence.id, evidence.notice) for evidence in found] == [("wikipedia:Marfanoid_habitus#", STUB)]


async def test_titles_and_anchors_of_any_script(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        found = await WikipediaSource(opened(url), "de").search(asking("dry eyes complaint"))
    best = found[0]
    assert best.id == "wikipedia:de:Sjögren’s_disease#Tränen_&_Augen:_what's_dry?"
    assert best.url is not None
    assert best.url.endswith("#Tr%C3%A4nen_%26_Augen:_what%27s_dry%3F")


async def test_words_that_no_page_has_together_are_searched_one_by_one(opened: Opened) -> None:
    with serving_wikipedia() as (server, _, url):
        found = await WikipediaSource(opened(url)).search(asking("Is arachnodactyly unicorn related?"))
    assert found
    assert [r.query["gsrsearch"][0] for r in server.requests[:2]] == [
        "arachnodactyly unicorn related",
        "arachnodactyly OR unicorn OR related",
    ]


async def test_every_query_that_may_be_asked_is_asked(opened: Opened) -> None:
    queries = ("aorta", "marfanoid habitus", "beta blockers")
    with serving_wikipedia() as (server, _, url):
        found = await WikipediaSource(opened(url)).search(SourceQuery(queries=queries, live=2))
    searched = [r.query["gsrsearch"][0] for r in server.requests if "gsrsearch" in r.query]
    assert searched == ["aorta", "marfanoid habitus"]
    assert {e.title.partition(":")[0] for e in found} >= {"Aortic topic 0", "Marfanoid habitus"}


async def test_as_many_pages_are_read_as_is_said(opened: Opened) -> None:
    read = []
    for pages in (1, 3):
        with serving_wikipedia() as (_, _, url):
            found = await WikipediaSource(opened(url), pages=pages).search(asking("aorta", limit=100))
        read.append(len({e.title.partition(":")[0] for e in found}))
    assert read == [1, 3]


async def test_the_limit_is_kept(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        assert len(await WikipediaSource(opened(url)).search(asking("aorta", limit=3))) == 3


@pytest.mark.parametrize("question", ["", "???", "unicorn"])
async def test_nothing_found_is_nothing(opened: Opened, question: str) -> None:
    with serving_wikipedia() as (_, _, url):
        assert await WikipediaSource(opened(url)).search(asking(question)) == []


async def test_one_page_that_fails_does_not_cost_the_others(opened: Opened) -> None:
    with serving_wikipedia() as (_, wiki, url):
        source = WikipediaSource(opened(url))
        await source._client.search("aorta", 8)  # kept, so that the faults meet the pages
        wiki.faults = [BROKEN] * 3
        found = await source.search(asking("aorta"))
        assert found
        wiki.faults = [BROKEN] * 100
        with pytest.raises(SourceError, match="status 500"):
            await WikipediaSource(opened(url, "refresh")).search(asking("aorta"))


def test_what_is_searched_for() -> None:
    quoted = Concept(id="C1", name='the "other" [thing]: x~')
    assert search_texts((MARFAN, quoted), "") == ['"Marfan syndrome" OR "the other thing x"']
    assert search_texts((), "Is aspirin safe in the third trimester?") == [
        "aspirin third trimester",
        "aspirin OR third OR trimester",
    ]
    assert search_texts((), "") == []


async def test_a_question_is_cleaned_before_its_words_are_picked(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.privacy.boundary.stays_here", lambda address: False)  # as if it were elsewhere
    with serving_wikipedia() as (server, _, url):
        await WikipediaSource(opened(url)).search(asking("My name is wanda quill, is the aorta at risk?"))
    sent = " ".join(r.query["gsrsearch"][0] for r in server.requests if "gsrsearch" in r.query)
    assert "aorta" in sent
    assert "quill" not in sent.casefold()


async def test_an_agent_has_it_as_a_tool(opened: Opened) -> None:
    with serving_wikipedia() as (_, _, url):
        tool = wikipedia_tool(giving(WikipediaSource(opened(url))))
        found = await tool.ainvoke({"query": "Marfan syndrome", "limit": 2})
        with pytest.raises(ValueError, match="limit"):
            await tool.ainvoke({"query": "Marfan", "limit": 0})
    assert tool.name == "wikipedia_search"
    assert len(found) == 2
    assert set(found[0]) == {"id", "title", "text", "url", "version", "licence", "notice"}
    with serving_wikipedia(*[BROKEN] * 3) as (_, _, url), pytest.raises(SourceError):
        await wikipedia_tool(giving(WikipediaSource(opened(url)))).ainvoke({"query": "Marfan syndrome"})
