"""Statements built by hand, as a sentence would be read."""

from __future__ import annotations

from typing import Any

from core.language.statement import Phrase, Quantity, Reading, Scope, ScopeKind, Sentence, Statement
from core.text import content_terms


def phrase(text: str, absent: bool = False) -> Phrase:
    """A phrase whose last word is its head."""
    words = text.lower().split()
    lemmas = tuple(word for word in words if content_terms(word))
    return Phrase(text, 0, len(text), words[-1], lemmas, absent)


def scope(kind: ScopeKind, text: str) -> Scope:
    """For whom or when a statement holds."""
    return Scope(kind, phrase(text))


def quantity(low: float, unit: str, high: float | None = None) -> Quantity:
    """An amount with its unit."""
    return Quantity(low, low if high is None else high, unit, 0, 0)


def says(subject: str, kind: str, object_: str, **fields: Any) -> Statement:
    """A statement that the text itself asserts, unless the fields say otherwise."""
    given: dict[str, Any] = {
        "kind": kind, "lemma": kind, "subject": phrase(subject), "object": phrase(object_), "arguments": (),
        "negated": False, "modality": "asserted", "attribution": "stated", "direction": 0, "frequency": "",
        "scopes": (), "quantities": (), "start": 0, "end": 0, "main": True,
    }  # fmt: skip
    return Statement(**{**given, **fields})


def passage(*sentences: tuple[str, list[Statement]], taken_back: int | None = None) -> Reading:
    """A text of sentences; the one at ``taken_back`` takes back what stands before it."""
    built = tuple(
        Sentence(0, len(text), text, (), tuple(statements), place == taken_back)
        for place, (text, statements) in enumerate(sentences)
    )
    return Reading(" ".join(text for text, _ in sentences), built)
