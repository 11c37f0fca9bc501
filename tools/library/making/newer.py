"""What two corpora hold alike counts once: the older one's copy is left out."""

from __future__ import annotations

from collections.abc import Iterable

from core.text import terms
from tools.library.shipped import Document

SHINGLE = 6
"""Stems in a row that two texts seldom share by chance."""
COPIED = 0.5
"""A passage of which more stands in the newer corpus is a copy."""


def without_older(older: Iterable[Document], newer: Iterable[Document]) -> list[Document]:
    """The older documents without those that are the same page as a newer one, and without copied passages."""
    pages: set[str] = set()
    held: set[int] = set()
    for document in newer:
        pages |= {_page(document.url), document.title.lower()}
        for passage in document.passages:
            held |= _shingles(passage.text)
    kept = []
    for document in older:
        if "/medlineplus/" in document.url and {_page(document.url), document.title.lower()} & pages:
            continue
        passages = tuple(passage for passage in document.passages if not _copied(passage.text, held))
        if passages:
            kept.append(document._replace(passages=passages))
    return kept


def _page(url: str) -> str:
    return url.rsplit("/", 1)[-1]


def _shingles(text: str) -> set[int]:
    stems = terms(text)
    return {hash(tuple(stems[n : n + SHINGLE])) for n in range(len(stems) - SHINGLE + 1)}


def _copied(text: str, held: set[int]) -> bool:
    own = _shingles(text)
    return bool(own) and len(own & held) > COPIED * len(own)
