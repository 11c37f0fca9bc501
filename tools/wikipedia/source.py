"""Wikipedia as a source of evidence: sections of the few pages that a search finds best."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from urllib.parse import quote

from core.errors import SourceError
from core.schema import Concept, Evidence
from core.source import SourceQuery
from core.text import STOPWORDS, content_terms, words
from tools.wikipedia.client import WikipediaClient
from tools.wikipedia.replies import Page
from tools.wikipedia.sections import passages, sections

MAX_CONCEPTS = 4
MAX_WORDS = 12
LICENCE = "CC BY-SA 4.0"
OWNER = "Wikipedia"
STUB = "a stub: the page is marked as unfinished, or has little text"

_SYNTAX = re.compile(r"[\"~*?\\!():|&<>\[\]{}]+")
_ASKING = frozenset(
    "please tell know explain best safe good mean means possible used use help question patient".split()
)


class WikipediaSource:
    """Evidence from articles; disambiguation pages are left out, stubs carry a notice."""

    def __init__(self, client: WikipediaClient, language: str = "en", pages: int = 4) -> None:
        """Ask this client, whose address is that of the language, and read so many pages for one question."""
        self._client = client
        self._pages = pages
        self._space = "wikipedia:" if language == "en" else f"wikipedia:{language}:"

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        return "wikipedia"

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Return passages, those of better found pages and with more of the asked words first.

        One request a query text finds pages (a second one, with any of the words, where all of them find none), one
        more is needed for each page. A page that cannot be read fails the search only where none can: the rest is an
        answer still.
        """
        cleared = await asyncio.to_thread(lambda: dict.fromkeys(map(self._client.outgoing, query.queries)))
        asked = list(cleared)[: query.live]
        rankings = [await self._hits(search_texts(query.concepts if not n else (), t)) for n, t in enumerate(asked)]
        chosen = merged(rankings)[: self._pages]
        read = await asyncio.gather(*(self._client.page(hit.pageid) for hit in chosen), return_exceptions=True)
        failures = [page for page in read if isinstance(page, BaseException)]
        for failure in failures:
            if not isinstance(failure, SourceError):
                raise failure
        articles = {n: page for n, page in enumerate(read) if isinstance(page, Page) and not page.is_disambiguation}
        found = await asyncio.to_thread(self._passages, articles, query)
        if failures and not found:
            raise failures[0]
        return sorted(found.values(), key=lambda evidence: -evidence.score)[: query.limit]

    async def _hits(self, texts: Sequence[str]) -> list[Page]:
        """The pages of the first text that finds any."""
        for text in texts:
            if hits := await self._client.search(text, 2 * self._pages):
                return [hit for hit in hits if hit.pageid and not hit.is_disambiguation]
        return []

    def _passages(self, articles: Mapping[int, Page], query: SourceQuery) -> dict[str, Evidence]:
        """The passages of pages, by their ids; cutting a long article takes a moment."""
        found: dict[str, Evidence] = {}
        for rank, page in articles.items():
            for evidence in self._evidence(page, rank, query):
                found.setdefault(evidence.id, evidence)
        return found

    def _evidence(self, page: Page, rank: int, query: SourceQuery) -> Iterator[Evidence]:
        question = query.queries[0] if query.queries else ""
        asked = {term for text in (*query.queries, *(c.name for c in query.concepts)) for term in content_terms(text)}
        revision = page.revisions[0] if page.revisions else None
        for section in sections(page.extract):
            title = ": ".join((page.title, *section.path))
            for number, text in enumerate(passages(section.text), start=1):
                shared = asked & set(content_terms(f"{title} {text}"))
                part = f":{number}" if number > 1 else ""
                yield Evidence(
                    id=f"{self._space}{page.title.replace(' ', '_')}#{section.anchor}{part}",
                    text=text,
                    title=title,
                    url=_link(page, section.anchor),
                    published=revision.timestamp[:10] or None if revision else None,
                    source=self.name,
                    notice=STUB if page.is_stub else None,
                    licence=LICENCE,
                    query=question,
                    score=round(0.5 / (1 + rank) + 0.5 * len(shared) / max(1, len(asked)), 4),
                    owner=OWNER,
                    version=str(revision.revid) if revision else None,
                )


def merged(rankings: Sequence[Sequence[Page]]) -> list[Page]:
    """One ranking of pages: the first of every query, then the second of every query, and so on, each page once."""
    first: dict[int, Page] = {}
    for page in (page for row in zip_longest(*rankings) for page in row if page is not None):
        first.setdefault(page.pageid, page)
    return list(first.values())


def search_texts(concepts: Sequence[Concept], question: str) -> list[str]:
    """What is searched for, in turn, until something is found.

    CirrusSearch wants every word of a query, so a question is asked by its concepts, any of them, where these are
    known, and otherwise by the words that carry content: first all, then any of them.
    """
    names = dict.fromkeys(" ".join(_SYNTAX.sub(" ", concept.name).split()) for concept in concepts)
    named = " OR ".join(f'"{name}"' for name in list(filter(None, names))[:MAX_CONCEPTS])
    found = dict.fromkeys(word.text for word in words(question) if word.text.lower() not in STOPWORDS | _ASKING)
    carrying = list(found)[:MAX_WORDS]
    texts = [named] if named else [" ".join(carrying)]
    if len(carrying) > 1:
        texts.append(" OR ".join(carrying))
    return [text for text in dict.fromkeys(texts) if text]


def _link(page: Page, anchor: str) -> str | None:
    if not page.fullurl.startswith(("https://", "http://")):
        return None
    return page.fullurl + (f"#{quote(anchor, safe='_-.,()/:')}" if anchor else "")
