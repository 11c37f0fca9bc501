"""Import of the user's own UMLS release into the knowledge store, the open vocabularies merged with it."""

from tools.knowledge.umls.importer import import_umls
from tools.knowledge.umls.report import ImportReport

__all__ = ["ImportReport", "import_umls"]
