"""What esearch answers (retmode=json), read leniently where NCBI varies and strictly where it matters.

Source: https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESearch and its replies.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from core.errors import SourceError
from core.http import Reply
from core.schema import Value

_TOLD = {
    "phrasesnotfound": "not found",
    "fieldsnotfound": "no such field",
    "phrasesignored": "ignored",
    "quotedphrasesnotfound": "not found as a phrase",
}
"""Warnings and errors that say that PubMed searched for something other than what was asked."""
_NOTHING = "no items found"


class Found(Value):
    """What a query found: how many articles in all, the first ids by falling relevance, and what PubMed remarked."""

    count: int = Field(ge=0)
    ids: tuple[str, ...] = ()
    understood: str = Field("", description="the query as PubMed translated it")
    remarks: tuple[str, ...] = Field((), description="parts of the query that it did not search for, and why")
    web_env: str = ""
    query_key: str = ""


def read_found(reply: Reply) -> Found:
    """Return what esearch found; SourceError where it failed, or sent anything but its JSON."""
    host = reply.host
    try:
        payload = json.loads(reply.text, strict=False)  # its messages may hold bare control characters
    except (ValueError, RecursionError):
        raise SourceError(
            f"{host} answered with {reply.media_type or 'something'} that is no JSON: try again later, and check the "
            "address set for it"
        ) from None
    result = payload.get("esearchresult") if isinstance(payload, dict) else None
    failure = next((_line(part["ERROR"]) for part in (result,) if isinstance(part, dict) and part.get("ERROR")), "")
    if not failure and isinstance(payload, dict) and payload.get("error"):
        failure = _line(payload["error"])
    if failure:
        raise SourceError(f"{host} could not search: {failure}; try again later, or ask in other words")
    if not isinstance(result, dict):
        raise _unlike(host, "esearchresult")
    ids = result.get("idlist")
    if not isinstance(ids, list) or not all(isinstance(one, str) and one.isdecimal() for one in ids):
        raise _unlike(host, "esearchresult.idlist")
    count = str(result.get("count", ""))
    if not (count.isascii() and count.isdecimal()):
        raise _unlike(host, "esearchresult.count")
    return Found(
        count=int(count),
        ids=tuple(dict.fromkeys(ids)),
        understood=_line(result.get("querytranslation", "")),
        remarks=tuple(dict.fromkeys(_remarks(result))),
        web_env=str(result.get("webenv", "")),
        query_key=str(result.get("querykey", "")),
    )


def _remarks(result: Mapping[str, Any]) -> Iterator[str]:
    for name in ("errorlist", "warninglist"):
        listed = result.get(name)
        for kind, parts in listed.items() if isinstance(listed, dict) else ():
            for part in parts if isinstance(parts, list) else ():
                text = _line(part)
                if kind in _TOLD and text:
                    yield f"{text}: {_TOLD[kind]}"
                elif kind == "outputmessages" and text and _NOTHING not in text.lower():
                    yield text


def _unlike(host: str, place: str) -> SourceError:
    return SourceError(
        f"{host} answered with JSON that is not what esearch sends ({place}): try again later, and check the address "
        "set for it"
    )


def _line(text: Any) -> str:
    return " ".join(str(text).split())[:200]
