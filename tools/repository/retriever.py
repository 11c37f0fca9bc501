"""The repository as a LangChain retriever."""

from __future__ import annotations

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from tools.repository.repository import Repository


class RepositoryRetriever(BaseRetriever):
    """Finds passages of one collection; a document's metadata are the fields of ``Evidence`` but its text."""

    repository: Repository
    collection: str
    k: int = 10

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.repository.search(self.collection, [query], self.k)
        return [Document(id=e.id, page_content=e.text, metadata=e.model_dump(exclude={"id", "text"})) for e in found]
