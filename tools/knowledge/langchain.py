"""Knowledge as LangChain tools, for agents. Importing this module imports LangChain: do it when a tool is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field

from core.schema import Concept
from tools.knowledge.interface import Knowledge
from tools.knowledge.local import LocalKnowledge

MAX_CONCEPTS = 25
MAX_RELATIONS = 100


class LookupInput(BaseModel):
    """What ``umls_lookup`` is asked."""

    term: str = Field(
        min_length=1, max_length=250, description="a medical term, such as 'type 2 diabetes', or a CUI or CURIE"
    )
    limit: int = Field(5, ge=1, le=MAX_CONCEPTS, description="concepts to return at most")


class RelationsInput(BaseModel):
    """What ``umls_relations`` is asked."""

    identifier: str = Field(
        min_length=1, max_length=100, description="a CUI such as C0011849, or a CURIE such as MESH:D003920"
    )
    limit: int = Field(20, ge=1, le=MAX_RELATIONS, description="relations to return at most")


def umls_tools(knowledge: Knowledge) -> tuple[StructuredTool, StructuredTool]:
    """Return the tools ``umls_lookup`` and ``umls_relations``; what they return can be written as JSON.

    Both raise SourceError where the knowledge cannot be asked: a failure is never a text that looks like an answer.
    Over the local store they can be called without an event loop too; a client of the service belongs to its own.
    """

    async def lookup(term: str, limit: int = 5) -> list[dict[str, Any]]:
        concepts = await knowledge.lookup(term, limit)
        definitions = await asyncio.gather(*(knowledge.definitions(concept.id) for concept in concepts))
        return [
            {**_shown(concept), "definitions": [definition.model_dump() for definition in defined]}
            for concept, defined in zip(concepts, definitions, strict=True)
        ]

    async def relations(identifier: str, limit: int = 20) -> list[dict[str, Any]]:
        return [
            {
                "head": {"id": triple.head.id, "name": triple.head.name},
                "relation": triple.relation,
                "tail": {"id": triple.tail.id, "name": triple.tail.name},
                "vocabulary": triple.vocabulary,
            }
            for triple in await knowledge.relations(identifier, limit)
        ]

    is_local = isinstance(knowledge, LocalKnowledge)
    return (
        StructuredTool.from_function(
            func=_blocking(lookup) if is_local else None,
            coroutine=lookup,
            name="umls_lookup",
            description="Find medical concepts by name, with their ids, semantic types and definitions.",
            args_schema=LookupInput,
        ),
        StructuredTool.from_function(
            func=_blocking(relations) if is_local else None,
            coroutine=relations,
            name="umls_relations",
            description="List what a medical concept is related to, and how: its kinds, sites, causes, treatments.",
            args_schema=RelationsInput,
        ),
    )


def _shown(concept: Concept) -> dict[str, Any]:
    return concept.model_dump(mode="json", include={"id", "name", "types", "group"})


def _blocking(
    asking: Callable[..., Coroutine[Any, Any, list[dict[str, Any]]]],
) -> Callable[..., list[dict[str, Any]]]:
    def ask(**arguments: Any) -> list[dict[str, Any]]:
        return asyncio.run(asking(**arguments))

    return ask
