"""Medical vocabularies: one SQLite store, a linker from text to its concepts, and evidence from its facts."""

from tools.knowledge.linking.linker import Linker
from tools.knowledge.source import KnowledgeSource
from tools.knowledge.store import KnowledgeStore

__all__ = ["KnowledgeSource", "KnowledgeStore", "Linker"]
