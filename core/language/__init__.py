"""The one reading of a sentence: sentences, words and statements of English text, from one parse."""

from core.language.parser import names
from core.language.reading import read, read_all
from core.language.split import sentences
from core.language.statement import (
    Attribution,
    Modality,
    Phrase,
    Quantity,
    Reading,
    RelationKind,
    Scope,
    Sentence,
    Statement,
    Word,
)

__all__ = [
    "Attribution",
    "Modality",
    "Phrase",
    "Quantity",
    "Reading",
    "RelationKind",
    "Scope",
    "Sentence",
    "Statement",
    "Word",
    "names",
    "read",
    "read_all",
    "sentences",
]
