"""The MediaWiki API in small: searches, extracts, properties, continuation, lag and refusals, over a loopback socket.

Source: https://www.mediawiki.org/wiki/API:Query, API:Search, Extension:TextExtracts, Manual:Maxlag_parameter. Texts are
written for this purpose. Addresses in replies name the real host, as its do.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.emulators.http import Emulator, Reply, Request, serving

JSON_TYPE = {"content-type": "application/json; charset=utf-8"}
BUSY = Reply(429, b"too many requests", {"retry-after": "1"})
BUSY_WITHOUT = Reply(429, b"too many requests")
BROKEN = Reply(500, b"upstream connect error")
HTML_PAGE = Reply(200, b"<!DOCTYPE html><html><body>Our servers are busy</body></html>", {"content-type": "text/html"})
TRUNCATED = Reply(200, b'{"batchcomplete": true, "query": {"pages": [{"pageid": 1, "tit', JSON_TYPE)
OTHER_JSON = Reply(200, b'{"query": {"pages": {"1": {"pageid": 1}}}}', JSON_TYPE)
STALLED = Reply(200, b'{"batchcomplete": true}' * 50, JSON_TYPE, cut=10, stall=True)


def lagging(retry_after: str | None = "1", lag: float = 6.2) -> Reply:
    """What is answered, with status 200, while the database is behind."""
    headers = {**JSON_TYPE, "x-database-lag": "6", **({"retry-after": retry_after} if retry_after else {})}
    info = f"Waiting for 10.64.48.35: {lag} seconds lagged."
    return Reply(200, json.dumps({"error": {"code": "maxlag", "info": info, "lag": lag}}).encode(), headers)


def refused(code: str) -> Reply:
    """An error in the body of a reply of status 200."""
    error = {"code": code, "info": "Unrecognized value for parameter: what the patient asked"}
    return Reply(200, json.dumps({"error": error, "servedby": "mw-api-ext.example"}).encode(), JSON_TYPE)


@dataclass(frozen=True)
class Article:
    """A page of the table; ``to`` makes it a redirect."""

    title: str
    text: str = ""
    revision: int = 1000
    disambiguation: bool = False
    categories: Sequence[str] = ()
    to: str | None = None


_LONG = " ".join(f"Sentence {n} says that the aortic root is measured every year in those affected." for n in range(40))
ARTICLES: dict[int, Article] = {
    11: Article(
        "Marfan syndrome",
        "Marfan syndrome is a genetic disorder of connective tissue caused by variants of the gene FBN1.\n\n\n"
        "== Signs and symptoms ==\nMost people affected are tall, with long limbs and fingers (arachnodactyly).\n\n\n"
        "=== Heart ===\nDilatation of the aortic root may lead to aortic dissection, the gravest complication.\n\n\n"
        f"== Management ==\n\n\n=== Surveillance ===\n{_LONG}\n\n\n"
        "=== Heart ===\nBeta blockers such as propranolol slow the dilatation of the aortic root in most.\n\n\n"
        "== See also ==\nLoeys-Dietz syndrome and other disorders of connective tissue are listed here.\n\n\n"
        "== References ==\nReferences would stand here, and they are longer than the shortest passage.\n\n\n"
        "=== Cited works ===\nSo would these works, which belong to the references and are no evidence.",
        1234567,
        categories=["Category:Connective tissue diseases", "Category:Rare diseases", "Category:Genetic disorders"],
    ),
    12: Article(
        "Marfan", disambiguation=True, text="Marfan may refer to: Antoine Marfan or Marfan syndrome, the disease."
    ),
    13: Article("MFS1", to="Marfan syndrome"),
    14: Article(
        "Sjögren’s disease",
        "Sjögren’s disease is an autoimmune disease of the glands that make tears and saliva. " * 9
        + "\n\n\n== Tränen & Augen: what's dry? ==\nDry eyes are the first complaint of most with this disease.",
        777,
    ),
    15: Article(
        "Marfanoid habitus",
        "Marfanoid habitus is a constellation of signs that resemble those of Marfan syndrome.",
        888,
        categories=["Category:Genetic disorder stubs"],
    ),
    **{100 + n: Article(f"Aortic topic {n}", f"Topic {n} tells of the aorta and of its wall. " * 20) for n in range(6)},
}


@dataclass
class MediaWiki:
    """The service's answers; ``faults`` are given first, one a request, whatever is asked."""

    faults: list[Reply] = field(default_factory=list)
    delay: float = 0.0
    batch: int = 500
    most: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Reply:
        """Answer as the service does, counting how many requests are under way at once."""
        with self._lock:
            fault = self.faults.pop(0) if self.faults else None
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            time.sleep(self.delay)
            return fault or self._answer({name: values[0] for name, values in request.query.items()})
        finally:
            with self._lock:
                self._now -= 1

    def _answer(self, asked: Mapping[str, str]) -> Reply:
        if asked.get("action") != "query" or asked.get("format") != "json" or asked.get("formatversion") != "2":
            return refused("badvalue")
        if asked.get("generator") == "search":
            if len(asked.get("gsrsearch", "")) > 300:
                return refused("cirrussearch-query-too-long")
            return self._found(asked)
        if "pageids" in asked:
            ids = [int(number) for number in asked["pageids"].split("|")]
            return self._described([(n, ARTICLES.get(n)) for n in ids], asked)
        titles = {article.title: number for number, article in ARTICLES.items()}
        return self._described(
            [(titles.get(t, 0), ARTICLES.get(titles.get(t, 0), Article(t))) for t in [asked["titles"]]], asked
        )

    def _found(self, asked: Mapping[str, str]) -> Reply:
        hits = [number for number, article in ARTICLES.items() if not article.to and _hit(article, asked["gsrsearch"])]
        start, size = int(asked.get("gsroffset", 0)), int(asked.get("gsrlimit", 10))
        chosen = hits[start : start + size]
        if not chosen:
            return _json({"batchcomplete": True})
        rest = {"gsroffset": start + size, "continue": "gsroffset||"} if len(hits) > start + size else {}
        pages = [(number, ARTICLES[number]) for number in chosen]
        return self._described(pages, asked, {number: start + n for n, number in enumerate(chosen, start=1)}, rest)

    def _described(
        self,
        pages: Sequence[tuple[int, Article | None]],
        asked: Mapping[str, str],
        index: Mapping[int, int] | None = None,
        rest: Mapping[str, Any] | None = None,
    ) -> Reply:
        titles = {article.title: number for number, article in ARTICLES.items()}
        body: list[dict[str, Any]] = []
        redirects: list[dict[str, str]] = []
        further: dict[str, Any] = {}
        for place, (number, article) in enumerate(pages):
            if article is None:
                body.append({"pageid": number, "missing": True, "title": ""})
            elif number == 0:
                why = {"invalid": True, "invalidreason": "bad character"} if "<" in article.title else {"missing": True}
                body.append({"ns": 0, "title": article.title, **why})
            else:
                if article.to and "redirects" in asked:
                    redirects.append({"from": article.title, "to": article.to})
                    number, article = titles[article.to], ARTICLES[titles[article.to]]
                page = {"pageid": number, "ns": 0, "title": article.title, **_properties(article, asked)}
                body.append(page | ({"index": index[number]} if index else {}))
                further |= self._in_parts(body[-1], article, place, asked)
        query = {"pages": body, **({"redirects": redirects} if redirects else {})}
        onwards = further or rest or {}
        complete = {} if further else {"batchcomplete": True}
        return _json({**complete, **({"continue": onwards} if onwards else {}), "query": query})

    def _in_parts(self, page: dict[str, Any], article: Article, place: int, asked: Mapping[str, str]) -> dict[str, Any]:
        """Add what comes a part a request, and return how to go on: whole texts, and categories in batches."""
        props = asked.get("prop", "").split("|")
        if "extracts" in props:
            wanted = int(asked.get("excontinue", 0))
            if place > wanted:
                return {"excontinue": wanted + 1, "continue": "||info|pageprops"}
            if place == wanted:
                page["extract"] = article.text
        if "categories" in props:
            start = int(asked.get("clcontinue", "").partition("|")[2] or 0)
            shown = article.categories[start : start + self.batch]
            page |= {"categories": [{"ns": 14, "title": title} for title in shown]} if shown else {}
            if start + self.batch < len(article.categories):
                return {"clcontinue": f"{page['pageid']}|{start + self.batch}", "continue": "||extracts|info"}
        return {}


def _properties(article: Article, asked: Mapping[str, str]) -> dict[str, Any]:
    props, page = asked.get("prop", "").split("|"), dict[str, Any]()
    if "info" in props:
        name = article.title.replace(" ", "_")
        page |= {"length": len(article.text), "fullurl": f"https://en.wikipedia.org/wiki/{name}"}
    if "pageprops" in props and article.disambiguation:
        page["pageprops"] = {"disambiguation": ""}
    if "revisions" in props:
        page["revisions"] = [{"revid": article.revision, "parentid": 1, "timestamp": "2024-05-06T07:08:09Z"}]
    return page


def _hit(article: Article, search: str) -> bool:
    """Every word, as CirrusSearch wants it; any of the parts that OR stands between."""
    text = re.sub(r"\W+", " ", f"{article.title} {article.text}".casefold())
    parts = [re.sub(r"\W+", " ", part.casefold()).strip() for part in search.split(" OR ")]
    quoted = ['"' in part for part in search.split(" OR ")]
    return any(
        f" {part} " in f" {text} " if phrase else set(part.split()) <= set(text.split())
        for part, phrase in zip(parts, quoted, strict=True)
        if part
    )


def _json(value: Any) -> Reply:
    return Reply(200, json.dumps(value).encode(), JSON_TYPE)


@contextmanager
def serving_wikipedia(
    *faults: Reply, delay: float = 0.0, batch: int = 500
) -> Iterator[tuple[Emulator, MediaWiki, str]]:
    """The service while the block runs, with the address that a client is given; ``faults`` come first."""
    wiki = MediaWiki([replace(fault) for fault in faults], delay, batch)
    with serving(answer=wiki.answer) as server:
        yield server, wiki, f"{server.url}/w/api.php"
