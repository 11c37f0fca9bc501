"""The one reading of a sentence: sentences, words and statements of English text, from one parse."""

from core.language.clauses import Clause, clauses, is_statement
from core.language.notes import Said, cue_words, said
from core.language.parser import names
from core.language.reading import read, read_all
from core.language.recognise import language_of
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
    "Clause",
    "Modality",
    "Phrase",
    "Quantity",
    "Reading",
    "RelationKind",
    "Said",
    "Scope",
    "Sentence",
    "Statement",
    "Word",
    "clauses",
    "cue_words",
    "is_statement",
    "language_of",
    "names",
    "read",
    "read_all",
    "said",
    "sentences",
]
