"""The E-utilities, asked politely: one esearch and one efetch a query, paced, and every reply kept on disk.

Rules: https://www.ncbi.nlm.nih.gov/books/NBK25497/#chapter2.Usage_Guidelines_and_Requiremen. The key travels as the
parameter ``api_key`` and nowhere else: what is stored is keyed by address and query, and holds only what was read.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from pydantic import Field

from core.cache import JSON, DiskCache, Mode, cached
from core.errors import SourceError, SourceTimeout
from core.http import HttpClient, Reply
from core.privacy.boundary import outgoing
from core.schema import Value
from tools.pubmed.medline import read_records
from tools.pubmed.records import Record
from tools.pubmed.replies import Found, read_found

URL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
TOOL = "medattest"
INTERVAL, INTERVAL_WITH_KEY = 0.400, 0.125
"""Seconds between starts: NCBI allows 3 a second, 10 with a key; a little less, since what counts is arrival there."""
MAX_GET_CHARS = 1_000
BATCH = 200
"""Records of one efetch, and ids that are sent by name; beyond it they stay on the History server."""
MAX_FOUND = 1_000
DEADLINE = 20.0
ATTEMPTS = 2
"""How often a reply of status 200 that cannot be read is asked for: NCBI reports passing trouble in such."""

_STORED_AS = "pubmed 2"
"""Part of every cache key; changed whenever ``medline`` or ``replies`` read other things."""
_REFUSED = re.compile(r"(?P<host>\S+) answered with status (?:400|401|403)\b")
_PMID = re.compile(r"[1-9]\d{0,9}")
T = TypeVar("T")
_log = logging.getLogger(__name__)


class Articles(Value):
    """What a query found, and the records of it in that order; ``missing`` are ids that PubMed sent no record for."""

    found: Found
    records: tuple[Record, ...] = ()
    missing: tuple[str, ...] = Field(())


class EntrezClient:
    """PubMed's search and records. Every method raises SourceError where the service fails, SourceTimeout when late.

    Nothing is sent before the first question; in the mode ``offline`` nothing is sent at all.
    """

    def __init__(
        self,
        http: HttpClient,
        cache: DiskCache,
        *,
        url: str = URL,
        key: str = "",
        contact: str = "",
        mode: Mode = "normal",
    ) -> None:
        """Ask the service at ``url``, which ends in ``/entrez/eutils``.

        Args:
            http: the process's client; its pace for this host is set here.
            cache: where replies are kept.
            url: the address of the service.
            key: of an NCBI account; ten requests a second are allowed with one.
            contact: an e-mail address that NCBI may write to before it blocks a caller; anything else is not sent.
            mode: whether to read the cache, to ask, or both.
        """
        self._http = http
        self._cache = cache
        self._url = url.rstrip("/")
        self._key = key
        self._mode: Mode = mode
        self._named = {"db": "pubmed", "tool": TOOL} | ({"email": contact} if "@" in contact else {})
        http.pace(self._url, INTERVAL_WITH_KEY if key else INTERVAL)

    def outgoing(self, text: str) -> str:
        """The text as it may be sent: to be asked before words are picked out of it, since cues get lost by that."""
        return outgoing(text, self._url)

    async def articles(self, term: str, limit: int, *, deadline: float = DEADLINE) -> Articles:
        """Return the articles that a query in PubMed's own language finds, by falling relevance.

        Args:
            term: the query.
            limit: articles at most, itself at most ``MAX_FOUND``.
            deadline: seconds for all of it, waiting and retries among them.
        """
        term, limit = " ".join(term.split()), min(limit, MAX_FOUND)
        if not term or limit < 1:
            return Articles(found=Found(count=0))
        end = time.monotonic() + deadline

        async def ask() -> JSON:
            found = await self._search(term, limit, end)
            records = await self._records_of(found, end)
            given = _in_order(found.ids, records)
            missing = tuple(pmid for pmid in found.ids if pmid not in given)
            if found.ids and not given:
                raise SourceError(f"PubMed found {len(found.ids)} articles and sent none of them: try again later")
            found = found.model_copy(update={"web_env": "", "query_key": ""})
            read: JSON = Articles(found=found, records=tuple(given.values()), missing=missing).model_dump(mode="json")
            return read

        return Articles.model_validate(await self._stored(["articles", str(limit), term], ask))

    async def records(self, pmids: Sequence[str], *, deadline: float = DEADLINE) -> tuple[Record, ...]:
        """Return the records of these ids in their order; what is no PubMed id or has no record is left out."""
        wanted = tuple(dict.fromkeys(pmid for pmid in pmids if _PMID.fullmatch(pmid)))
        if not wanted:
            return ()
        end = time.monotonic() + deadline

        async def ask() -> JSON:
            read: list[Record] = []
            for start in range(0, len(wanted), BATCH):
                batch = wanted[start : start + BATCH]
                read += await self._fetch({"id": ",".join(batch)}, batch, end)
            return [record.model_dump(mode="json") for record in _in_order(wanted, read).values()]

        stored: Any = await self._stored(["records", *wanted], ask)
        return tuple(map(Record.model_validate, stored))

    async def _search(self, term: str, limit: int, end: float) -> Found:
        params = {"term": term, "retmax": str(limit), "retmode": "json", "sort": "relevance"}
        if limit > BATCH:
            params["usehistory"] = "y"
        return await self._asked("esearch", params, read_found, end)

    async def _records_of(self, found: Found, end: float) -> list[Record]:
        if len(found.ids) <= BATCH:
            return await self._fetch({"id": ",".join(found.ids)}, found.ids, end) if found.ids else []
        if not (found.web_env and found.query_key):
            raise SourceError("PubMed kept no list of what it found: try again later, or ask for less at once")
        kept = {"WebEnv": found.web_env, "query_key": found.query_key, "retmax": str(BATCH)}
        read: list[Record] = []
        for start in range(0, len(found.ids), BATCH):
            read += await self._fetch({**kept, "retstart": str(start)}, found.ids[start : start + BATCH], end)
        return read

    async def _fetch(self, which: Mapping[str, str], wanted: Sequence[str], end: float) -> list[Record]:
        """The records of a batch; one that lacks any is asked for once more, since text cut between two looks whole."""

        def read(reply: Reply) -> list[Record]:
            return list(read_records(reply.body, reply.host))

        asked = {**which, "rettype": "medline", "retmode": "text"}
        records = await self._asked("efetch", asked, read, end)
        if {record.pmid for record in records}.issuperset(wanted):
            return records
        try:
            return [*records, *await self._asked("efetch", asked, read, end)]
        except SourceError as error:
            _log.warning("pubmed: records that did not come were asked for again in vain: %s", error)
            return records

    async def _asked(self, tool: str, params: Mapping[str, str], read: Callable[[Reply], T], end: float) -> T:
        """Send a request and read its reply off the event loop, once more where that reply cannot be read."""
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self._sent(f"{self._url}/{tool}.fcgi", {**self._named, **params}, end)
            try:
                return await asyncio.to_thread(read, reply)
            except SourceError as error:
                if attempt == ATTEMPTS:
                    raise SourceError(self._hidden(str(error))) from None
        raise AssertionError("every attempt returns or raises")

    async def _sent(self, url: str, params: dict[str, str], end: float) -> Reply:
        left = end - time.monotonic()
        if left <= 0:
            raise SourceTimeout("PubMed gave no complete answer in time: try again later")
        if self._key:
            params["api_key"] = self._key
        try:
            if len(urlencode(params)) > MAX_GET_CHARS:
                return await self._http.post(url, params, deadline=left)
            return await self._http.get(url, params, deadline=left)
        except SourceError as error:
            refused = _REFUSED.match(str(error)) if self._key else None
            if refused is None:
                raise
            raise SourceError(
                f"{refused['host']} refuses what it was asked: check that MEDATTEST_ENTREZ_KEY is the key of an NCBI "
                "account, or unset it"
            ) from error

    async def _stored(self, asked: Sequence[str], ask: Callable[[], Any]) -> Any:
        return await cached(self._cache, self._mode, "\n".join([_STORED_AS, self._url, *asked]), ask, "PubMed")

    def _hidden(self, message: str) -> str:
        return message.replace(self._key, "…") if self._key else message


def _in_order(pmids: Sequence[str], records: Sequence[Record]) -> dict[str, Record]:
    """Those of the records that were asked for, by id and in the ids' order."""
    read = {record.pmid: record for record in records}
    return {pmid: read[pmid] for pmid in pmids if pmid in read}
