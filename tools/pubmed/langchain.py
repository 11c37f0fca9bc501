"""PubMed as a LangChain tool, for agents. Importing this module imports LangChain: do it when the tool is wanted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field

from core.source import SourceQuery
from tools.pubmed.filters import Filters, Name, Year
from tools.pubmed.source import PubMedSource

MAX_ARTICLES = 50
_SHOWN = {"id", "title", "text", "url", "published", "level", "retracted", "notice", "owner", "query"}


class PubMedInput(BaseModel):
    """What ``pubmed_search`` is asked."""

    query: str = Field(
        min_length=1, max_length=1_000, description="a medical question or its keywords, such as 'metformin in PCOS'"
    )
    limit: int = Field(10, ge=1, le=MAX_ARTICLES, description="articles to return at most")
    from_year: Year | None = Field(None, description="the earliest year of publication")
    to_year: Year | None = Field(None, description="the latest year of publication")
    publication_types: list[Name] = Field(
        default_factory=list, max_length=10, description="any of these, such as 'Randomized Controlled Trial'"
    )
    humans: bool = Field(False, description="leave out what is about animals alone")
    language: Name | None = Field(None, description="the articles' language, such as 'english'")


def pubmed_tool(opened: Callable[[], Awaitable[PubMedSource]]) -> StructuredTool:
    """Return the tool ``pubmed_search``; what it returns can be written as JSON.

    It raises SourceError where PubMed cannot be asked: a failure is never a text that looks like an answer. It is
    awaited, and asks for the source each time: a client belongs to the event loop that it is used on.
    """

    async def search(
        query: str,
        limit: int = 10,
        from_year: int | None = None,
        to_year: int | None = None,
        publication_types: list[str] | None = None,
        humans: bool = False,
        language: str | None = None,
    ) -> list[dict[str, Any]]:
        filters = Filters(
            from_year=from_year,
            to_year=to_year,
            types=tuple(publication_types or ()),
            humans=humans,
            language=language,
        )
        found = await (await opened()).find(SourceQuery(queries=(query,), limit=limit), filters)
        return [piece.model_dump(mode="json", include=_SHOWN) for piece in found]

    return StructuredTool.from_function(
        coroutine=search,
        name="pubmed_search",
        description="Find medical articles in PubMed, with their abstracts, evidence level and any retraction.",
        args_schema=PubMedInput,
    )
