"""NCBI's E-utilities in small, over a loopback socket: esearch, efetch, the History server, and the limits on callers.

Source: https://www.ncbi.nlm.nih.gov/books/NBK25499/ and replies as its servers send them.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.emulators.entrez_medline import medline
from tests.emulators.entrez_records import ARTICLES
from tests.emulators.entrez_terms import Indexed, search
from tests.emulators.http import Emulator, Reply, Request, serving

KEY = "a1b2c3d4-secret-ncbi-key"
MAX_LINE = 4_000
"""Characters of an address at most, as web servers have it; what is longer wants a POST."""

TEXT, JSON, HTML = ({"content-type": kind} for kind in ("text/plain; charset=UTF-8", "application/json", "text/html"))
HTML_PAGE = Reply(200, b"<!DOCTYPE html><html><body><h1>Scheduled maintenance</h1></body></html>", HTML)
BROKEN = Reply(500, b"<html>WWW Error 500 Diagnostic</html>", HTML)
BACKEND = Reply(200, b'{"esearchresult": {"ERROR": "Search Backend failed: \n connection refused"}}', JSON)
TOO_MANY = {"error": "API rate limit exceeded", "api-key": "127.0.0.1", "count": "4", "limit": "3"}


@dataclass
class EntrezService:
    """The service's answers. ``faults`` come first, one a request, by endpoint (``esearch``, ``efetch``)."""

    articles: Sequence[str] = ARTICLES
    key: str = KEY
    latency: float = 0.0
    limited: bool = False
    retry_after: str | None = None
    faults: dict[str, list[Reply]] = field(default_factory=dict)
    refused: int = 0
    _starts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _kept: dict[str, list[str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _indexed: list[Indexed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._indexed = [Indexed.of(xml) for xml in self.articles]

    def answer(self, request: Request) -> Reply:
        """Answer as the service does."""
        reply = self._answer(request)
        return Reply(reply.status, reply.body, reply.headers, reply.delay + self.latency, reply.cut, reply.stall)

    def _answer(self, request: Request) -> Reply:
        endpoint = request.path.removeprefix("/entrez/eutils/").removesuffix(".fcgi")
        given = parameters(request)
        with self._lock:
            if self.limited and not self._admitted(given.get("api_key", ""), request.at):
                self.refused += 1
                again = {} if self.retry_after is None else {"retry-after": self.retry_after}
                return Reply(429, json.dumps(TOO_MANY).encode(), {**JSON, **again})
            if self.faults.get(endpoint):
                return self.faults[endpoint].pop(0)
            if given.get("api_key", self.key) != self.key:
                return _json({"error": "API key invalid", "api-key": given["api_key"]}, 400)
            if request.method == "GET" and sum(map(len, given.values())) > MAX_LINE:
                return Reply(414, b"", HTML)
            if given.get("db") != "pubmed":
                return _json({"esearchresult": {"ERROR": "Invalid db name specified"}})
            if endpoint == "esearch":
                return self._search(given)
            return self._fetch(given) if endpoint == "efetch" else Reply(404, b"", HTML)

    def _admitted(self, key: str, at: float) -> bool:
        """At most so many starts within any second, counted at arrival; those refused do not count."""
        starts = self._starts[key]
        if sum(1 for start in starts if start > at - 1.0) >= (10 if key else 3):
            return False
        starts.append(at)
        return True

    def _search(self, given: dict[str, str]) -> Reply:
        if not given.get("term", "").strip():
            return _json({"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}})
        found = search(given["term"], self._indexed)
        start, size = int(given.get("retstart", 0)), int(given.get("retmax", 20))
        result: dict[str, Any] = {"count": str(len(found.pmids)), "retmax": str(size), "retstart": str(start)}
        if given.get("usehistory") == "y":
            env = f"MCID_{len(self._kept):024x}"
            self._kept[env] = found.pmids
            result |= {"querykey": "1", "webenv": env}
        result |= {"idlist": found.pmids[start : start + size], "translationset": [], "querytranslation": given["term"]}
        if found.phrases:
            result["errorlist"] = {"phrasesnotfound": found.phrases, "fieldsnotfound": []}
        if found.quoted or not found.pmids:
            nothing = [] if found.pmids else ["No items found."]
            result["warninglist"] = {"phrasesignored": [], "quotedphrasesnotfound": found.quoted}
            result["warninglist"] |= {"outputmessages": nothing}
        return _json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})

    def _fetch(self, given: dict[str, str]) -> Reply:
        if "id" in given:
            pmids = given["id"].split(",")
        elif given.get("WebEnv") in self._kept:
            start, size = int(given.get("retstart", 0)), int(given.get("retmax", 20))
            pmids = self._kept[given["WebEnv"]][start : start + size]
        else:
            return Reply(200, b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>", TEXT)
        if (given.get("rettype"), given.get("retmode")) != ("medline", "text"):
            return Reply(400, b"this emulator renders MEDLINE text alone", TEXT)
        by_pmid = {record.pmid: record.xml for record in self._indexed}
        return Reply(200, records_of([by_pmid[p] for p in pmids if p in by_pmid]), TEXT)


def records_of(articles: Sequence[str]) -> bytes:
    """A reply of efetch."""
    return "".join(map(medline, articles)).encode()


def parameters(request: Request) -> dict[str, str]:
    """What a request asks, sent in its address or as a form."""
    form = parse_qs(request.body.decode())
    return {name: values[0] for name, values in {**request.query, **form}.items()}


def _json(value: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value).encode(), JSON)


@contextmanager
def serving_entrez(service: EntrezService | None = None) -> Iterator[tuple[Emulator, str]]:
    """The service while the block runs, with the address that a client is given."""
    with serving(answer=(service or EntrezService()).answer) as server:
        yield server, f"{server.url}/entrez/eutils"
