"""Documents of the user's own, in the formats of ``formats``: cut into passages and kept in Chroma."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.repository.jsonl import JsonFields
from tools.repository.report import (
    MAX_PROBLEMS,
    CollectionDetail,
    CollectionInfo,
    DocumentInfo,
    IndexProgress,
    IndexReport,
    Problem,
    Progress,
)
from tools.repository.repository import Repository
from tools.repository.source import RepositorySource

if TYPE_CHECKING:
    from tools.repository.retriever import RepositoryRetriever

__all__ = [
    "MAX_PROBLEMS",
    "CollectionDetail",
    "CollectionInfo",
    "DocumentInfo",
    "IndexProgress",
    "IndexReport",
    "JsonFields",
    "Problem",
    "Progress",
    "Repository",
    "RepositoryRetriever",
    "RepositorySource",
]


def __getattr__(name: str) -> object:
    # LangChain's base class of retrievers takes half a second to import.
    if name == "RepositoryRetriever":
        from tools.repository.retriever import RepositoryRetriever

        return RepositoryRetriever
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
