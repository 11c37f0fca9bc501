"""Wikipedia as a LangChain tool, for agents. Importing this module imports LangChain: do it when a tool is wanted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field

from core.source import SourceQuery
from tools.wikipedia.source import WikipediaSource

MAX_PASSAGES = 20
_SHOWN = {"id", "title", "text", "url", "version", "licence", "notice"}


class WikipediaInput(BaseModel):
    """What ``wikipedia_search`` is asked."""

    query: str = Field(min_length=1, max_length=1000, description="a question, or the words to search for")
    limit: int = Field(5, ge=1, le=MAX_PASSAGES, description="passages to return at most")


def wikipedia_tool(opened: Callable[[], Awaitable[WikipediaSource]]) -> StructuredTool:
    """Return the tool ``wikipedia_search``; what it returns can be written as JSON.

    It raises SourceError where Wikipedia cannot be asked: a failure is never a text that looks like an answer. It is
    awaited, and asks for the source each time: a client belongs to the event loop that it is used on.
    """

    async def search(query: str, limit: int = 5) -> list[dict[str, Any]]:
        found = await (await opened()).search(SourceQuery(queries=(query,), limit=limit))
        return [evidence.model_dump(mode="json", include=_SHOWN) for evidence in found]

    return StructuredTool.from_function(
        coroutine=search,
        name="wikipedia_search",
        description="Search Wikipedia; returns passages with their section's link, revision and licence.",
        args_schema=WikipediaInput,
    )
