"""Whether a passage is about the subject of a question: signals in [0, 1]."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chains.form import read_form
from chains.lexicon import aspects
from chains.relevance.match import Name, conflict, match, name_of
from chains.understanding import Understanding
from core.rarity import Rarity
from core.schema import Evidence
from core.text import content_terms

_QUESTION = re.compile(r"\?\s*$|^(?:what|how|who|which|why|is|are|can|do|does|where|when)\b", re.I)
_HEADED = re.compile(r"^(?P<subject>.{2,}?)(?:\s*[:|\u2013\u2014]\s+|\s+-\s+)(?P<rest>.+)$")


@dataclass(frozen=True)
class Passage:
    """A passage, read once: the document that it is of, the stems of its title's name and of its text."""

    document: str
    title: tuple[str, ...]
    stems: tuple[str, ...]


@lru_cache(maxsize=8192)
def named_in(title: str) -> tuple[str, ...]:
    """The stems of what a title names: a name, a question, or a name with what is told of it (``Marfan: features``)."""
    reading = read_form(title) if _QUESTION.search(title) else None
    name, aspect = (reading.subject, reading.aspect) if reading else (title, "")
    headed = _HEADED.match(name)
    if headed and not aspect and _announces(headed.group("rest").lower()):
        name = headed.group("subject")
    return tuple(dict.fromkeys(content_terms(name)))


def divided(title: str) -> tuple[str, str]:
    """What a title is about, and the question that it asks of it; empty where it asks none."""
    name, _, heading = title.partition(": ")
    if heading or not name.endswith("?"):
        return name, heading
    form = read_form(name)
    return (form.subject if form else ""), name


@lru_cache(maxsize=8192)
def aspect_of(title: str) -> str:
    """The aspect that a title's heading asks of its subject; empty where it asks none that is known."""
    heading = divided(title)[1]
    form = read_form(heading) if heading else None
    return form.aspect if form else ""


def place_in_document(evidence: Evidence) -> int:
    """The number of a passage in its document; 0 where its id says none."""
    document, _, place = evidence.id.rpartition("#")
    return int(place) if document and place.isdigit() else 0


def read_passage(evidence: Evidence) -> Passage:
    """Read a passage of evidence."""
    document = evidence.id.rpartition("#")[0] or evidence.id
    return Passage(document, named_in(evidence.title), _stems(evidence.text))


def names_of(understanding: Understanding, rarity: Rarity) -> tuple[Name, ...]:
    """The subject's names, the question's own first; all words of the question where it has no subject.

    None where the subject is a guess.
    """
    if not understanding.named:
        return ()
    texts = [understanding.subject, *understanding.names] if understanding.subject else [understanding.text]
    return tuple(n for n in (name_of(t, rarity) for t in dict.fromkeys(texts)) if n is not None)


def subject_signals(names: Sequence[Name], document: Sequence[Passage]) -> list[Mapping[str, float]]:
    """Signals of each retrieved passage of one document, in order, by the name that fits the document best.

    ``document_near`` is how much of the name stands within one stretch of the document, ``title_conflict`` whether the
    title tells another kind of it; that is missing where there is no title.
    """
    stems = [stem for passage in document for stem in (*passage.title, *passage.stems)]
    near, name = max(((match(name, stems).near, name) for name in names), key=lambda fit: fit[0])
    return [
        {"document_near": near} | ({"title_conflict": conflict(name, p.title)} if p.title else {}) for p in document
    ]


def _announces(rest: str) -> bool:
    """Whether a heading names an aspect."""
    return any(a.title is not None and a.title.search(rest) for a in aspects().values())


@lru_cache(maxsize=8192)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(content_terms(text))
