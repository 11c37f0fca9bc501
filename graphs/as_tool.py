"""The sources and the graphs as LangChain tools, for any agent; each can be called and awaited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, Field

from core.errors import MedattestError
from core.schema import MAX_QUESTION_CHARS, Evidence, Failure, Verdict
from graphs.claim_paths import claim_paths
from graphs.retrieval import build_graph as build_retrieval
from graphs.verification import build_graph as build_verification

if TYPE_CHECKING:
    from graphs.resources import Resources
    from tools.pubmed.source import PubMedSource
    from tools.wikipedia.source import WikipediaSource

MAX_TEXT_CHARS = 20_000
MAX_GIVEN = 50
_SHOWN = {"id", "title", "text", "url", "published", "source", "certified", "level", "retracted", "notice", "licence"}


class SearchInput(BaseModel):
    """What ``medical_search`` is asked."""

    question: str = Field(min_length=1, max_length=MAX_QUESTION_CHARS, description="a medical question, in words")
    collection: str | None = Field(None, description="a collection of documents to search, and no other source")


class VerifyInput(BaseModel):
    """What ``verify_claims`` is asked."""

    text: str = Field(min_length=1, max_length=MAX_TEXT_CHARS, description="statements to be checked, in sentences")
    evidence: list[str] = Field(
        default_factory=list, max_length=MAX_GIVEN, description="texts to check against; none: the sources are searched"
    )
    paths: bool = Field(False, description="also draw, as SVG, the paths that join each claim's concepts")


def agent_tools(resources: Resources) -> tuple[BaseTool, ...]:
    """A search of the sources, PubMed, Wikipedia, look-ups in the vocabularies, and the verification of claims.

    What they return can be written as JSON. A failure becomes a tool message of status ``error`` that says so, never
    one that looks like evidence. Only ``pubmed_search`` and ``wikipedia_search`` leave this machine, unless the
    settings name other sources outside it.
    """
    from tools.knowledge.langchain import umls_tools
    from tools.knowledge.local import LocalKnowledge
    from tools.pubmed.langchain import pubmed_tool
    from tools.wikipedia.langchain import wikipedia_tool

    async def pubmed() -> PubMedSource:
        return cast("PubMedSource", await resources.source("pubmed"))

    async def wikipedia() -> WikipediaSource:
        return cast("WikipediaSource", await resources.source("wikipedia"))

    made = (
        search_tool(resources),
        pubmed_tool(pubmed),
        wikipedia_tool(wikipedia),
        *umls_tools(LocalKnowledge(resources.knowledge)),
        verification_tool(resources),
    )
    return tuple(_for_agents(tool, resources) for tool in made)


def search_tool(resources: Resources) -> StructuredTool:
    """The retrieval graph as the tool ``medical_search``."""
    # An agent's checkpointer is for its messages: what goes through a graph inside a tool is not its to keep.
    graph = build_retrieval(resources).copy({"checkpointer": False})

    async def search(question: str, collection: str | None = None) -> dict[str, Any]:
        found = await graph.ainvoke({"question": question, "settings": {"collection": collection}})
        relevance = found["relevance"]
        pieces = [{**_shown(e), "relevance": round(relevance[e.id], 3)} for e in found["selected"]]
        return {"evidence": pieces, "failures": _told(found["failures"])}

    return StructuredTool.from_function(
        coroutine=search,
        name="medical_search",
        description="Find passages that answer a medical question in the vocabularies and the indexed documents, each "
        "with its id and the probability that it answers.",
        args_schema=SearchInput,
    )


def verification_tool(resources: Resources) -> StructuredTool:
    """The verification graph as the tool ``verify_claims``."""
    graph = build_verification(resources).copy({"checkpointer": False})

    async def verify(text: str, evidence: list[str] | None = None, paths: bool = False) -> dict[str, Any]:
        found = await graph.ainvoke({"text": text, "evidence": evidence or []})
        verdicts: tuple[Verdict, ...] = found["verdicts"]
        claims = [verdict.claim for verdict in verdicts]
        drawn = await resources.compute(partial(claim_paths, resources, claims, found["evidence"])) if paths else None
        quoted = {quote.evidence_id for verdict in verdicts for quote in verdict.quotes}
        return {
            "claims": [_judged(verdict) for verdict in verdicts],
            "evidence": [_shown(piece) for piece in found["evidence"] if piece.id in quoted],
            "failures": _told(found["failures"]),
            **({"paths": drawn} if drawn is not None else {}),
        }

    return StructuredTool.from_function(
        coroutine=verify,
        name="verify_claims",
        description="Check each statement of a text against evidence: supported, contradicted or unverifiable, with "
        "the risk that it is wrong and quotes that decide.",
        args_schema=VerifyInput,
    )


def _for_agents(tool: StructuredTool, resources: Resources) -> StructuredTool:
    """The tool with its failures as messages, and callable without an event loop."""
    ask: Callable[..., Any] = tool.coroutine or _never

    async def careful(*first: Any, **arguments: Any) -> Any:
        try:
            return await ask(*first, **arguments)
        except MedattestError as error:
            raise ToolException(str(error)) from error

    def blocking(*first: Any, **arguments: Any) -> Any:
        try:
            return resources.wait(careful(*first, **arguments))
        except MedattestError as error:
            raise ToolException(str(error)) from error

    return tool.model_copy(update={"coroutine": careful, "func": blocking, "handle_tool_error": _failed})


async def _never(**_: Any) -> None:
    raise TypeError("a tool of ours is always awaited")


def _failed(error: ToolException) -> str:
    return f"this failed and found nothing out: {error}"


def _shown(evidence: Evidence) -> dict[str, Any]:
    return evidence.model_dump(mode="json", include=_SHOWN, exclude_defaults=True)


def _judged(verdict: Verdict) -> dict[str, Any]:
    return {
        "text": verdict.claim.text,
        "label": verdict.label,
        "risk": round(verdict.risk, 3),
        "why": verdict.why,
        "quotes": [quote.model_dump() for quote in verdict.quotes],
    }


def _told(failures: tuple[Failure, ...]) -> list[str]:
    return [f"{failure.source}: {failure.error}" for failure in failures]
