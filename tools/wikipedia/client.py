"""The MediaWiki API, asked politely: three requests at once, none while its database lags, every reply kept on disk.

Source: https://www.mediawiki.org/wiki/API:Etiquette, API:Search, Extension:TextExtracts. A whole text comes for one
page a request only (``exlimit`` is lowered to 1 without ``exintro``), so a search is one request and each page another.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from core.cache import JSON, DiskCache, Mode, cached
from core.errors import SettingsError, SourceError
from core.http import HttpClient
from core.privacy.boundary import outgoing
from tools.wikipedia.replies import Answer, Page

AT_ONCE = 3
"""Requests under way, of one client."""
MAX_QUERY_CHARS = 300
"""CirrusSearch refuses longer ones."""
MAX_HITS = 50
MAX_CONTINUED = 5
MAX_LAG = 5
"""Seconds that the service's database may be behind before it answers with an error instead."""
LAG_ATTEMPTS = 3
LONGEST_PAUSE = 15.0

_STORED_AS = "mediawiki 1"
"""Part of every cache key; changed whenever ``replies`` reads other fields."""
_PASSING = frozenset({"maxlag", "ratelimited"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})*|simple")
_ALWAYS: Mapping[str, str | int] = {"action": "query", "format": "json", "formatversion": 2, "redirects": 1}


def address(language: str) -> str:
    """Where the Wikipedia of a language answers; SettingsError for what is no language code."""
    if not _LANGUAGE.fullmatch(language):
        raise SettingsError(f"{language!r} is no language of Wikipedia: give a code such as en, de or pt")
    return f"https://{language}.wikipedia.org/w/api.php"


class WikipediaClient:
    """Searches and reads pages; raises SourceError where the service fails or answers what it should not.

    Belongs to the event loop that uses it, as its HttpClient does.
    """

    def __init__(self, http: HttpClient, url: str, cache: DiskCache, mode: Mode = "normal") -> None:
        """Ask the service at ``url``, which ends in ``/w/api.php``."""
        self._http = http
        self._url = url
        self._cache = cache
        self._mode: Mode = mode
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._lag_pause = float(MAX_LAG)

    def outgoing(self, text: str) -> str:
        """The text as it may be sent: to be asked before words are picked out of it, since cues get lost by that."""
        return outgoing(text, self._url)

    async def search(self, text: str, limit: int) -> tuple[Page, ...]:
        """Articles found for a query of CirrusSearch's syntax, best first, without their text."""
        words = " ".join((await asyncio.to_thread(self.outgoing, text)).split())[:MAX_QUERY_CHARS].strip()
        if not words or limit < 1:
            return ()
        params: dict[str, str | int] = {
            "generator": "search",
            "gsrsearch": words,
            "gsrnamespace": 0,
            "gsrlimit": min(limit, MAX_HITS),
            "prop": "pageprops",
            "ppprop": "disambiguation",
        }
        return tuple(sorted(await self._pages(params), key=lambda page: page.index))[:limit]

    async def page(self, which: int | str) -> Page | None:
        """The page of an id or a title, whole, redirects followed; None where there is none."""
        params: dict[str, str | int] = {
            **(
                {"pageids": which}
                if isinstance(which, int)
                else {"titles": await asyncio.to_thread(self.outgoing, which)}
            ),
            "prop": "extracts|info|pageprops|revisions|categories",
            "exlimit": 1,
            "explaintext": 1,
            "exsectionformat": "wiki",
            "inprop": "url",
            "ppprop": "disambiguation",
            "rvprop": "ids|timestamp",
            "cllimit": "max",
        }
        found = [page for page in await self._pages(params) if page.exists]
        return found[0] if found else None

    async def _pages(self, params: Mapping[str, str | int]) -> list[Page]:
        async def ask() -> JSON:
            return {"pages": await self._asked(params)}

        key = "\n".join([_STORED_AS, self._url, *(f"{name}={params[name]}" for name in sorted(params))])
        stored: Any = await cached(self._cache, self._mode, key, ask, "Wikipedia")
        return [Page.model_validate(page) for page in stored["pages"]]

    async def _asked(self, params: Mapping[str, str | int]) -> list[JSON]:
        """Every page of a query, put together from as many replies as its properties come in."""
        found: dict[str, dict[str, Any]] = {}
        further: Mapping[str, str | int] = {}
        for _ in range(MAX_CONTINUED):
            answer = await self._answer({**_ALWAYS, "maxlag": MAX_LAG, **params, **further})
            for page in answer.query.pages:
                _merge(found.setdefault(page.title, {}), page.model_dump(mode="json", exclude_unset=True))
            further = answer.further
            if answer.batchcomplete or not further:  # what is left then are further hits, which nobody asked for
                break
        return list(found.values())

    async def _answer(self, params: Mapping[str, str | int]) -> Answer:
        attempt = 0
        while True:
            attempt += 1
            async with self._turn:
                reply = await self._http.get(self._url, params)
            try:
                answer = Answer.model_validate(reply.json())
            except ValidationError as error:
                fault = error.errors(include_input=False)[0]
                place = ".".join(str(part) for part in fault["loc"])
                raise SourceError(
                    f"{reply.host} answered with JSON that is not what MediaWiki sends ({place}: {fault['msg']}): "
                    "check MEDATTEST_WIKIPEDIA_URL, or try again later"
                ) from None  # pydantic's own message repeats the reply
            if answer.error is None:
                return answer
            if answer.error.code not in _PASSING:
                raise SourceError(
                    f"{reply.host} refuses what it was asked ({answer.error.code}): ask something else, "
                    "and check MEDATTEST_WIKIPEDIA_URL"
                )
            pause = self._lag_pause if reply.retry_after is None else reply.retry_after
            if attempt == LAG_ATTEMPTS or pause > LONGEST_PAUSE:
                raise SourceError(
                    f"{reply.host} is too busy ({answer.error.code}; {attempt} attempts, it asks for a pause of "
                    f"{pause:g} s): ask again later"
                )
            await asyncio.sleep(pause)


def _merge(page: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what a further reply says of a page: lists grow, other fields come once."""
    for name, value in more.items():
        if isinstance(value, list) and name in page:
            page[name] = [*page[name], *(item for item in value if item not in page[name])]
        elif value or name not in page:
            page[name] = value
