"""Live sources in the agent: asked at once, kept, refused offline, and honest about what failed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from core.embeddings import MiniLM
from core.errors import UsageError
from core.schema import VerifiedAnswer
from core.settings import Settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources
from tests.emulators.entrez import EntrezService, serving_entrez
from tests.emulators.entrez_records import HUMANS, MARFAN, article
from tests.emulators.http import Emulator
from tests.emulators.mediawiki import serving_wikipedia
from tools.knowledge import KnowledgeStore
from tools.library import Library

QUESTION = "How is Marfan syndrome treated?"
TREATED = "Marfan syndrome is treated with beta blockers such as propranolol, which slow the dilatation of the aorta."
RETRACTED = "Marfan syndrome is treated with zorblaxine, which cures it in all patients."
ARTICLES = (
    article(1, "Treatment of Marfan syndrome", TREATED, ("Practice Guideline",), (HUMANS, MARFAN)),
    article(
        2,
        "Treatment of Marfan syndrome with zorblaxine",
        RETRACTED,
        ("Journal Article", "Retracted Publication"),
        (HUMANS, MARFAN),
        {"RetractionIn": ("J Ex. 2021", 9)},
    ),
)


class Leaflets(BaseRetriever):
    """A retriever of anyone's."""

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return [Document(page_content=TREATED, metadata={"id": "leaflet", "title": "Marfan syndrome"})]


@pytest.fixture
def services() -> Iterator[tuple[Emulator, Emulator, dict[str, str]]]:
    with serving_entrez(EntrezService(ARTICLES)) as (entrez, entrez_url), serving_wikipedia() as (wiki, _, wiki_url):
        yield entrez, wiki, {"entrez_url": entrez_url, "wikipedia_url": wiki_url}


@asynccontextmanager
async def asking(home: Path, **settings: Any) -> AsyncIterator[Callable[..., Any]]:
    resources = Resources(Settings(home=home, rounds=0, queries=1, **settings))
    graph = build_graph(resources)

    async def ask(question: str, **fields: Any) -> VerifiedAnswer:
        answer: VerifiedAnswer = (await graph.ainvoke({"question": question, "settings": fields}))["answer"]
        return answer

    try:
        yield ask
    finally:
        await resources.services.close()
        resources.close()


@pytest.fixture
def fresh(model_home: Path, embedder: MiniLM, tmp_path: Path) -> Path:
    """A data directory without kept replies, with what is built once."""
    KnowledgeStore.open(model_home).close()
    home = tmp_path / "live"
    home.mkdir()
    Library(model_home, lambda: embedder).open().close()
    for name in ("knowledge.sqlite", "library", "models"):
        (home / name).symlink_to(model_home / name)
    return home


async def test_an_answer_rests_on_pubmed_and_wikipedia_at_once(
    fresh: Path, services: tuple[Emulator, Emulator, dict[str, str]]
) -> None:
    _, _, urls = services
    async with asking(fresh, **urls) as ask:
        answer = await ask(QUESTION, sources=["pubmed", "wikipedia"])
    assert not answer.abstained
    assert answer.failures == ()
    assert {e.source for e in answer.evidence} == {"pubmed", "wikipedia"}
    guideline = next(e for e in answer.evidence if e.id == "pubmed:1")
    assert guideline.level == "guideline"
    wikipedia = next(e for e in answer.evidence if e.source == "wikipedia")
    assert wikipedia.licence
    assert wikipedia.version == "1234567"


async def test_a_retracted_article_supports_nothing_and_is_named(
    fresh: Path, services: tuple[Emulator, Emulator, dict[str, str]]
) -> None:
    with serving_entrez(EntrezService(ARTICLES[1:])) as (_, url):
        async with asking(fresh, entrez_url=url) as ask:
            answer = await ask(QUESTION, sources=["pubmed"])
    assert answer.abstained
    assert "zorblaxine" not in answer.text
    assert "has been retracted" in (answer.reason or "")
    assert any("pubmed:2" in notice for notice in answer.notices)


async def test_a_repeated_question_asks_nobody_and_offline_says_what_it_could_not_ask(
    fresh: Path, services: tuple[Emulator, Emulator, dict[str, str]]
) -> None:
    entrez, wiki, urls = services
    async with asking(fresh, **urls) as ask:
        first = await ask(QUESTION, sources=["pubmed", "wikipedia"])
        asked = len(entrez.requests) + len(wiki.requests)
        again = await ask(QUESTION, sources=["pubmed", "wikipedia"])
        offline = await ask(QUESTION, sources=["pubmed", "wikipedia"], offline=True)
        assert len(entrez.requests) + len(wiki.requests) == asked
        other = await ask("How is asthma treated?", sources=["pubmed", "wikipedia"], offline=True)
        assert len(entrez.requests) + len(wiki.requests) == asked
        await ask(QUESTION, sources=["pubmed", "wikipedia"], refresh=True)
        assert len(entrez.requests) + len(wiki.requests) > asked
    assert again.text == first.text == offline.text
    assert {f.source for f in other.failures} == {"pubmed", "wikipedia"}
    assert all("offline" in f.error for f in other.failures)


async def test_one_dead_source_is_a_failure_and_all_dead_an_abstention(
    fresh: Path, services: tuple[Emulator, Emulator, dict[str, str]]
) -> None:
    _, _, urls = services
    dead = "http://127.0.0.1:9/entrez/eutils"
    async with asking(fresh, **{**urls, "entrez_url": dead}, source_deadline=5) as ask:
        answer = await ask(QUESTION, sources=["pubmed", "wikipedia"])
        none = await ask(QUESTION, sources=["pubmed"])
    assert {f.source for f in answer.failures} == {"pubmed"}
    assert any(e.source == "wikipedia" for e in answer.evidence)
    assert none.abstained
    assert "nothing was found, and this failed: pubmed" in (none.reason or "")


async def test_any_langchain_retriever_is_a_source(fresh: Path) -> None:
    async with asking(fresh, retrievers=f"leaflets={__name__}:Leaflets") as ask:
        answer = await ask(QUESTION, sources=["leaflets"])
        assert answer.citations == ("leaflets:leaflet",)
        with pytest.raises(UsageError, match=r"no source 'brochures'.*leaflets"):
            await ask(QUESTION, sources=["brochures"])


async def test_a_retriever_of_langchain_community_is_a_source(fresh: Path) -> None:
    texts = [TREATED, "Gout is treated with colchicine.", "Asthma is treated with salbutamol."]
    named = f"leaflets=langchain_community.retrievers:BM25Retriever.from_texts{json.dumps({'texts': texts, 'k': 2})}"
    async with asking(fresh, retrievers=named) as ask:
        answer = await ask(QUESTION, sources=["leaflets"])
    assert not answer.abstained
    assert answer.evidence[0].source == "leaflets"
    assert "beta blockers" in answer.text


async def test_the_reader_is_told_what_was_removed_before_a_question_left(
    fresh: Path, services: tuple[Emulator, Emulator, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    entrez, _, urls = services
    for module in ("core.privacy.boundary", "core.http"):
        monkeypatch.setattr(f"{module}.stays_here", lambda _: False)
    async with asking(fresh, **urls) as ask:
        answer = await ask("Mr. Miller, born 3 May 1950, asks: how is Marfan syndrome treated?", sources=["pubmed"])
    sent = " ".join(str(request.query) + request.body.decode() for request in entrez.requests)
    assert "Marfan" in sent
    assert "Miller" not in sent
    assert "1950" not in sent
    assert any("removed before anything left this machine" in notice for notice in answer.notices)
