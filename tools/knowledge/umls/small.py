"""The smaller tables: semantic types of concepts (MRSTY), definitions (MRDEF), relations between types (SRSTR)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from tools.knowledge.semantics import SEMANTIC_TYPES
from tools.knowledge.umls.release import Release
from tools.knowledge.umls.rows import MRDEF, MRSTY, SRDEF, SRSTR, SRSTRE1, SRSTRE2, Layout, Parsed
from tools.knowledge.umls.work import Work
from tools.knowledge.values import IS_A

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_STATED = ("D", "N")
"""Of SRSTR's LS: the relation holds for the types' children too, or not; B says that it is blocked."""


def write_types(work: Work) -> None:
    """Read MRSTY."""

    def write(parsed: Parsed) -> None:
        numbers, (_, tuis) = parsed.cuis[0], parsed.columns
        rows = zip(numbers.tolist(), tuis, work.known[numbers].tolist(), strict=True)
        found = ((n, tui.decode(), 0) for n, tui, known in rows if known)
        work.insert("INSERT INTO types VALUES (?, ?, ?)", found)

    work.read(MRSTY, write)


def write_definitions(work: Work) -> None:
    """Read MRDEF: definitions of the vocabularies that names were kept of, without the markup that some have."""
    vocabularies = {vocabulary.encode() for vocabulary in work.used_vocabularies()}

    def write(parsed: Parsed) -> None:
        numbers, (_, names, texts, suppress) = parsed.cuis[0], parsed.columns
        rows = zip(numbers.tolist(), work.known[numbers].tolist(), names, texts, suppress, strict=True)
        found = (
            (n, _plain(text.decode()), name.decode())
            for n, known, name, text, hidden in rows
            if known and hidden == b"N" and name in vocabularies and text
        )
        work.insert("INSERT INTO definitions VALUES (?, ?, ?)", found)

    work.read(MRDEF, write)


def write_type_relations(work: Work) -> None:
    """Write which semantic types may be related how: all inherited relations where the release has them."""
    rows = dict.fromkeys(type_relations(work.release))
    work.insert("INSERT INTO type_relations VALUES (?, ?, ?)", list(rows))
    work.clock.tell(1.0)


def type_relations(release: Release) -> Iterator[tuple[str, str, str]]:
    """Yield (TUI, relation, TUI): from SRSTRE1 with SRDEF, or SRSTRE2, or, without what is inherited, SRSTR."""
    names = {ui: name for ui, name in _rows(release, SRDEF)}
    tuis = {name: tui for tui, (name, _) in SEMANTIC_TYPES.items()} | {name: ui for ui, name in names.items()}
    if names and SRSTRE1.name in release.tables:
        yield from ((head, _words(names[by]), tail) for head, by, tail in _rows(release, SRSTRE1) if by in names)
        return
    inherited = SRSTRE2.name in release.tables
    for head, by, tail, *status in _rows(release, SRSTRE2 if inherited else SRSTR):
        if head in tuis and tail in tuis and (inherited or status[0] in _STATED):
            yield tuis[head], _words(by), tuis[tail]


def _rows(release: Release, layout: Layout) -> Iterator[list[str]]:
    for parsed in release.small(layout):
        for row in zip(*parsed.columns, strict=True):
            yield [value.decode() for value in row]


def _words(relation: str) -> str:
    return IS_A if relation == "isa" else relation.replace("_", " ")


def _plain(text: str) -> str:
    if "<" not in text and "&" not in text:
        return text
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())
