"""The texts that ship: MedlinePlus's health topics and MedQuAD, searched by words and by meaning."""

from tools.library.library import Library
from tools.library.source import LibrarySource

__all__ = ["Library", "LibrarySource"]
