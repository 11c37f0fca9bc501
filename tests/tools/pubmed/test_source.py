from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import SourceError, SourceTimeout
from core.schema import Concept, Evidence
from core.source import Source, SourceQuery, collecting_gaps
from tests.emulators.entrez import BROKEN, EntrezService, parameters, serving_entrez
from tests.emulators.entrez_records import BARE, DOUBTED, LISTED, RETRACTED, article
from tests.emulators.http import Emulator
from tests.tools.pubmed.conftest import Opened
from tools.pubmed.client import EntrezClient
from tools.pubmed.filters import Filters
from tools.pubmed.headings import Headings
from tools.pubmed.langchain import pubmed_tool
from tools.pubmed.retractions import Retractions
from tools.pubmed.source import PubMedSource

METFORMIN = Concept(id="C0025598", name="metformin", xrefs=("MESH:D008687",))
PCOS = Concept(id="MESH:D011085", name="polycystic ovary syndrome")
MARFAN = Concept(id="MESH:D008382", name="Marfan syndrome")
QUESTION = "Does metformin improve ovulation in patients with polycystic ovary syndrome?"


class Made:
    """A source over a client, with small tables of its own."""

    def __init__(self, headings: Headings, retractions: Retractions) -> None:
        self.headings, self.retractions = headings, retractions

    def __call__(self, client: EntrezClient, **given: object) -> PubMedSource:
        return PubMedSource(client, headings=self.headings, retractions=self.retractions, **given)  # type: ignore[arg-type]


@pytest.fixture
def made(headings: Headings, listed: Retractions) -> Made:
    return Made(headings, listed)


def giving(source: PubMedSource) -> Callable[[], Awaitable[PubMedSource]]:
    async def give() -> PubMedSource:
        return source

    return give


def asked(server: Emulator) -> list[str]:
    return [parameters(request)["term"] for request in server.requests if request.path.endswith("esearch.fcgi")]


def by_pmid(found: list[Evidence]) -> dict[int, Evidence]:
    return {int(piece.id.removeprefix("pubmed:")): piece for piece in found}


async def test_ten_documents_take_two_requests(opened: Opened, made: Made) -> None:
    with serving_entrez() as (server, url):
        source: Source = made(opened(url))
        found = await source.search(SourceQuery(queries=(QUESTION,), concepts=(METFORMIN, PCOS), limit=10))
    assert len(found) == 10
    assert len(server.requests) == 2
    first = found[0]
    assert (first.id, first.source, first.score) == ("pubmed:30000000", "pubmed", 1.0)
    assert first.url == "https://pubmed.ncbi.nlm.nih.gov/30000000/"
    assert first.title == "Metformin and ovulation in polycystic ovary syndrome: trial 0."
    assert first.text.startswith("BACKGROUND: Women with polycystic ovary syndrome ovulate rarely")
    assert "\n\nRESULTS: Ovulation was more frequent" in first.text
    assert (first.level, first.published, first.owner) == ("randomised trial", "2000-03", "J Ex")
    assert first.about == ("MESH:D008687", "MESH:D011085"), "who was studied is not what it is about"
    assert first.query == asked(server)[0]
    assert [piece.score for piece in found] == sorted((piece.score for piece in found), reverse=True)
    assert all(0 < piece.score <= 1 for piece in found)


async def test_a_query_that_finds_nothing_is_relaxed(opened: Opened, made: Made) -> None:
    question = "Does metformin cause quaggification in polycystic ovary syndrome?"
    with serving_entrez() as (server, url):
        found = await made(opened(url)).search(SourceQuery(queries=(question,), concepts=(METFORMIN, PCOS), limit=5))
    terms = asked(server)
    assert len(terms) > 1
    assert "quaggification" in terms[0]
    assert "quaggification" not in found[0].query
    assert found[0].query == terms[-1]
    assert len(found) == 5


async def test_articles_of_stricter_queries_come_first(opened: Opened, made: Made) -> None:
    with serving_entrez() as (_, url):
        source = made(opened(url), enough=4)
        found = await source.search(SourceQuery(queries=("Is losartan used in Marfan syndrome?",), concepts=(MARFAN,)))
    assert {RETRACTED, DOUBTED} == set(list(by_pmid(found))[:2])
    assert set(by_pmid(found)) == {RETRACTED, DOUBTED, LISTED}


async def test_what_a_reader_must_know(opened: Opened, made: Made) -> None:
    with serving_entrez() as (_, url):
        found = by_pmid(await made(opened(url)).search(SourceQuery(queries=("Marfan syndrome",), concepts=(MARFAN,))))
    assert BARE not in found, "a title alone supports nothing"
    assert found[RETRACTED].retracted
    assert found[RETRACTED].notice == "retracted: J Ex. 2021 May;2(1):9 (PMID 31999999)"
    assert not found[DOUBTED].retracted
    notice = "expression of concern: J Ex. 2022;3(1):1 (PMID 31999998); corrected: J Ex. 2021;2(2):2 (PMID 31999997)"
    assert found[DOUBTED].notice == notice
    assert found[DOUBTED].same_as == (f"doi:10.1000/ex.{DOUBTED}",)
    assert found[LISTED].retracted
    assert found[LISTED].notice == "retracted, according to retractions.tsv"
    assert found[LISTED].level == "animal or laboratory study"


async def test_what_pubmed_left_out_of_a_query_is_shown(opened: Opened, made: Made) -> None:
    with serving_entrez() as (_, url):
        found = await made(opened(url), enough=1).search(SourceQuery(queries=("aortic dilatation or quaggification",)))
    assert found[0].query.endswith("[quaggification: not found]")


async def test_several_texts_are_searched_and_fused(opened: Opened, made: Made) -> None:
    texts = ("metformin ovulation", "losartan aorta", "propranolol mice")
    with serving_entrez() as (server, url):
        source = made(opened(url), enough=1)
        found = by_pmid(await source.search(SourceQuery(queries=texts, live=2, limit=4)))
    assert not any("propranolol" in term for term in asked(server))
    assert len(found) == 4
    assert RETRACTED in found or DOUBTED in found
    assert max(piece.score for piece in found.values()) == 0.5, "found by one of two"


async def test_one_text_failing_is_logged_and_all_failing_is_an_error(
    opened: Opened, made: Made, caplog: pytest.LogCaptureFixture
) -> None:
    texts = ("metformin ovulation", "losartan aorta")
    service = EntrezService()
    with serving_entrez(service) as (_, url):
        source = made(opened(url), enough=1)
        await source.search(SourceQuery(queries=texts[:1], limit=4))
        service.faults = {"efetch": [BROKEN] * 3}
        with caplog.at_level(logging.WARNING), collecting_gaps() as gaps:
            found = await source.search(SourceQuery(queries=texts, limit=4))
        assert found
        assert any("status 500" in gap for gap in gaps), "a gap is no secret"
        assert "status 500" in caplog.text
        service.faults = {"esearch": [BROKEN] * 60}
        with pytest.raises(SourceError, match="status 500"):
            await made(opened(url, "refresh")).search(SourceQuery(queries=texts))


async def test_tables_that_cannot_be_read_are_gaps_of_every_search(opened: Opened, tmp_path: Path) -> None:
    headings, retractions = Headings(tmp_path / "mesh.tsv"), Retractions(tmp_path / "retractions.tsv")
    told = []
    with serving_entrez() as (_, url):
        source = Made(headings, retractions)(opened(url), enough=1)
        for text in ("metformin ovulation", "losartan aorta", "quaggification"):
            with collecting_gaps() as gaps:
                await source.search(SourceQuery(queries=(text,), limit=4))
            told.append(gaps)
    found, again, nothing = told
    assert found == again
    assert "mesh.tsv" in found[0]
    assert "articles are found by their words alone" in found[0]
    assert "retractions.tsv" in found[1]
    assert "only the records' own marks tell which articles are retracted" in found[1]
    assert nothing == found[:1], "where no article was found, none can be retracted"


async def test_tables_that_can_be_read_are_no_gaps(opened: Opened, made: Made) -> None:
    with serving_entrez() as (_, url), collecting_gaps() as gaps:
        assert await made(opened(url), enough=1).search(SourceQuery(queries=("metformin ovulation",), limit=4))
    assert gaps == []


async def test_the_ladder_ends_at_the_deadline(opened: Opened, made: Made) -> None:
    with serving_entrez(EntrezService(latency=0.2)) as (server, url):
        with pytest.raises(SourceTimeout):
            await made(opened(url), deadline=0.45).search(SourceQuery(queries=("quagga xyzzy plugh foobar",)))
        assert len(server.requests) <= 3


async def test_filters_are_in_every_query(opened: Opened, made: Made) -> None:
    filters = Filters(from_year=2010, types=("Randomized Controlled Trial",), humans=True, language="english")
    with serving_entrez() as (server, url):
        found = await made(opened(url), filters=filters).search(
            SourceQuery(queries=(QUESTION,), concepts=(METFORMIN, PCOS), limit=30)
        )
    assert len(found) == 15
    assert min(piece.published or "" for piece in found) == "2010-03"
    assert all("2010:3000[Date - Publication]" in term for term in asked(server))


async def test_what_cannot_be_searched_finds_nothing(opened: Opened, made: Made) -> None:
    with serving_entrez() as (server, url):
        source = made(opened(url))
        for query in (SourceQuery(queries=()), SourceQuery(queries=("is it?",)), SourceQuery(queries=("x",), limit=0)):
            assert await source.search(query) == []
    assert server.requests == []


async def test_a_long_abstract_is_kept_whole(opened: Opened, made: Made) -> None:
    long = "Quinine relieves cramps. " * 2_000
    with serving_entrez(EntrezService([article(5, "Quinine.", long)])) as (_, url):
        (found,) = await made(opened(url)).search(SourceQuery(queries=("quinine cramps",)))
    assert found.text == long.strip()


async def test_as_a_tool(opened: Opened, made: Made) -> None:
    with serving_entrez() as (_, url):
        tool = pubmed_tool(giving(made(opened(url))))
        assert tool.name == "pubmed_search"
        found = await tool.ainvoke({"query": "metformin ovulation", "limit": 3, "from_year": 2020, "humans": True})
        assert [piece["id"] for piece in found] == ["pubmed:30000020", "pubmed:30000021", "pubmed:30000022"]
        assert found[0]["level"] == "randomised trial"
        assert found[0]["retracted"] is False
        for bad in ({"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "publication_types": ['a"[au]']}):
            with pytest.raises(ValidationError):
                await tool.ainvoke(bad)


async def test_a_failing_tool_raises(opened: Opened, made: Made) -> None:
    with serving_entrez(EntrezService(faults={"esearch": [BROKEN] * 9})) as (_, url):
        tool = pubmed_tool(giving(made(opened(url))))
        with pytest.raises(SourceError, match="status 500"):
            await tool.ainvoke({"query": "metformin"})
