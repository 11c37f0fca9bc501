"""The UMLS REST service, asked a page at a time: paced as its terms ask, and every reply kept on disk.

The key travels as the parameter ``apiKey`` and nowhere else: what is stored is keyed by address and parameters without
it, and holds only the fields that are read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from core.cache import JSON, DiskCache, Mode, cached
from core.errors import SourceError
from core.http import HttpClient
from core.privacy.boundary import outgoing
from tools.knowledge.rest.replies import (
    Atom,
    AtomRecord,
    CodeRecord,
    ConceptRecord,
    DefinitionRow,
    Hit,
    One,
    Page,
    RelationRow,
    SearchPage,
)

REQUESTS_A_SECOND = 20
"""What the UTS terms of service allow one address."""
PAGE_SIZE = 200
MAX_PAGES = 5
"""Pages of one answer at most: some concepts have many thousands of relations."""
MAX_TERM_CHARS = 250

_STORED_AS = "umls-rest 1"
"""Part of every cache key; changed whenever ``replies`` reads other fields."""
_REFUSED = re.compile(r"(?P<host>\S+) answered with status (?P<status>\d{3})\b")
"""How an error of ``core.http`` says it; its message is the only place that has the status."""
_NO_KEY = "does not accept the UMLS key: set MEDATTEST_UMLS_KEY to that of your UTS profile"
_REFUSALS = {"401": _NO_KEY, "403": _NO_KEY, "404": "has no UMLS service at that address: check MEDATTEST_UMLS_URL"}

SearchType = Literal["exact", "words", "normalizedString", "normalizedWords", "approximate", "leftTruncation"]
S = TypeVar("S", bound=BaseModel)
R = TypeVar("R", Atom, DefinitionRow, Hit, RelationRow)


class UmlsClient:
    """One endpoint a method, each of which raises SourceError where the service fails or answers what it should not.

    Nothing is sent before the first question; in the mode ``offline`` nothing is sent at all, and no key is needed.
    """

    def __init__(self, http: HttpClient, url: str, key: str, cache: DiskCache, mode: Mode = "normal") -> None:
        """Ask the service at ``url``, which ends in ``/rest``, with a UTS key."""
        self._http = http
        self._url = url.rstrip("/")
        self._key = key
        self._cache = cache
        self._mode: Mode = mode
        http.pace(url, 1 / REQUESTS_A_SECOND)

    @property
    def offline(self) -> bool:
        """Whether only stored replies are used."""
        return self._mode == "offline"

    async def search(
        self,
        text: str,
        *,
        limit: int,
        search_type: SearchType = "exact",
        codes: bool = False,
        vocabularies: tuple[str, ...] = (),
    ) -> tuple[Hit, ...]:
        """Return the concepts found for a term, or for a vocabulary's code where ``codes`` is set, best first.

        Args:
            text: a term or a code; empty ones and those longer than ``MAX_TERM_CHARS`` find nothing.
            limit: hits at most.
            search_type: how names are compared with it.
            codes: take the text for a code.
            vocabularies: abbreviations (such as ``MSH``) of those to search; all without any.
        """
        words = " ".join((await asyncio.to_thread(outgoing, text, self._url)).split())
        if not words or len(words) > MAX_TERM_CHARS or limit < 1:
            return ()
        params = {"string": words, "searchType": search_type}
        if codes:
            params["inputType"] = "sourceUi"
        if vocabularies:
            params["sabs"] = ",".join(vocabularies)
        hits = await self._rows("/search/current", params, SearchPage, min(limit, PAGE_SIZE), limit)
        return tuple(hit for hit in hits if hit.ui)[:limit]

    async def concept(self, cui: str) -> ConceptRecord | None:
        """Return a concept; None for an id that the current release does not have."""
        found = await self._asked(f"/content/current/CUI/{quote(cui, safe='')}", {}, One[ConceptRecord])
        return found.result if found else None

    async def atoms(self, cui: str) -> tuple[Atom, ...]:
        """Return a concept's English names, those that are obsolete or suppressed left out."""
        path = f"/content/current/CUI/{quote(cui, safe='')}/atoms"
        atoms = await self._rows(path, {"language": "ENG"}, Page[Atom])
        return tuple(atom for atom in atoms if not (atom.obsolete or atom.suppressible))

    async def definitions(self, cui: str) -> tuple[DefinitionRow, ...]:
        """Return a concept's definitions, in whatever language their vocabularies have them."""
        return await self._rows(f"/content/current/CUI/{quote(cui, safe='')}/definitions", {}, Page[DefinitionRow])

    async def relations(self, cui: str) -> tuple[RelationRow, ...]:
        """Return a concept's relations, those that are obsolete or suppressed left out."""
        rows = await self._rows(f"/content/current/CUI/{quote(cui, safe='')}/relations", {}, Page[RelationRow])
        return tuple(row for row in rows if not (row.obsolete or row.suppressible))

    async def atom(self, aui: str) -> AtomRecord | None:
        """Return the atom of an id."""
        found = await self._asked(f"/content/current/AUI/{quote(aui, safe='')}", {}, One[AtomRecord])
        return found.result if found else None

    async def code(self, vocabulary: str, code: str) -> CodeRecord | None:
        """Return a vocabulary's code."""
        path = f"/content/current/source/{quote(vocabulary, safe='')}/{quote(code, safe=':')}"
        found = await self._asked(path, {}, One[CodeRecord])
        return found.result if found else None

    async def _rows(
        self,
        path: str,
        params: Mapping[str, str],
        shape: type[Page[R]],
        size: int = PAGE_SIZE,
        limit: int | None = None,
    ) -> tuple[R, ...]:
        """Return the rows of all pages, until there are ``limit``, or as many pages as are read at most."""
        rows: list[R] = []
        last: tuple[R, ...] = ()
        for number in range(1, MAX_PAGES + 1):
            page = await self._asked(path, {**params, "pageNumber": number, "pageSize": size}, shape)
            if page is None or page.result == last:  # a service that knows no pages sends the same one for ever
                break
            rows += page.result
            last = page.result
            if page.is_last(number, size) or (limit is not None and len(rows) >= limit):
                break
        return tuple(rows)

    async def _asked(self, path: str, params: Mapping[str, str | int], shape: type[S]) -> S | None:
        """Return a reply, stored or new; None where there is no such thing."""

        async def ask() -> JSON:
            return {"reply": await self._fetch(path, params, shape)}

        key = "\n".join([_STORED_AS, self._url + path, *(f"{name}={params[name]}" for name in sorted(params))])
        stored: Any = await cached(self._cache, self._mode, key, ask, "the UMLS service")
        return None if stored["reply"] is None else shape.model_validate(stored["reply"])

    async def _fetch(self, path: str, params: Mapping[str, str | int], shape: type[BaseModel]) -> JSON:
        if not self._key:
            raise SourceError("the UMLS service wants a key: set MEDATTEST_UMLS_KEY to that of your UTS profile")
        try:
            reply = await self._http.get(self._url + path, {**params, "apiKey": self._key})
        except SourceError as error:
            refused = _REFUSED.match(str(error))
            status = refused["status"] if refused else ""
            if status == "404" and path.startswith("/content/"):
                return None
            if refused and status in _REFUSALS:
                raise SourceError(f"{refused['host']} {_REFUSALS[status]}") from error
            raise
        payload = reply.json()
        try:
            read: JSON = shape.model_validate(payload).model_dump(mode="json")
        except ValidationError as error:
            fault = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            raise SourceError(
                f"{reply.host} answered with JSON that is not what the UMLS service sends ({place}: {fault['msg']}): "
                "check MEDATTEST_UMLS_URL, or try again later"
            ) from None  # pydantic's own message repeats the reply
        return read
