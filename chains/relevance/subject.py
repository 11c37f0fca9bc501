"""Whether a passage is about the subject of a question: signals in [0, 1]."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chains.lexicon import aspects
from chains.relevance.match import Match, Name, conflict, count, match, name_of
from chains.understand import Understanding, read_form
from core.rarity import Rarity
from core.schema import Evidence
from core.text import content_terms

_QUESTION = re.compile(r"\?\s*$|^(?:what|how|who|which|why|is|are|can|do|does|where|when)\b", re.I)
_LEAD = re.compile(r"[.!?](?:\s|$)")
_LEAD_LEAST, _LEAD_MOST = 20, 300
_HEADED = re.compile(r"^(?P<subject>.{2,}?)(?:\s*[:|\u2013\u2014]\s+|\s+-\s+)(?P<rest>.+)$")
_OFTEN = 4
_NAMED_IN_LEAD = 0.6


@dataclass(frozen=True)
class Title:
    """A title's words: what it names, and its parts where it has a colon or a dash."""

    stems: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Passage:
    """A passage, read once: stems of all of it and of its first sentence, and which document it opens or continues."""

    document: str
    opens: bool
    title: Title
    stems: tuple[str, ...]
    lead: tuple[str, ...]


@lru_cache(maxsize=8192)
def read_title(title: str) -> Title:
    """Read a name, a question, or a name with what is told of it (``Marfan syndrome: features``)."""
    reading = read_form(title) if _QUESTION.search(title) else None
    name, aspect = (reading.subject, reading.aspect) if reading else (title, "")
    headed = _HEADED.match(name)
    if headed and not aspect and _announces(headed.group("rest").lower()):
        name = headed.group("subject")
    parts = [_distinct(p) for p in (name, *(headed.groups() if headed else ()))]
    return Title(parts[0], tuple(p for p in parts if p))


def divided(title: str) -> tuple[str, str]:
    """What a title is about, and the question that it asks of it; empty where it asks none."""
    name, _, heading = title.partition(": ")
    if heading or not name.endswith("?"):
        return name, heading
    form = read_form(name)
    return (form.subject if form else ""), name


def place_in_document(evidence: Evidence) -> int:
    """The number of a passage in its document; 0 where its id says none."""
    document, _, place = evidence.id.rpartition("#")
    return int(place) if document and place.isdigit() else 0


def read_passage(evidence: Evidence) -> Passage:
    """Read a passage of evidence."""
    stems, lead = _read_text(evidence.text)
    document = evidence.id.rpartition("#")[0] or evidence.id
    return Passage(document, place_in_document(evidence) == 0, read_title(evidence.title), stems, lead)


def names_of(understanding: Understanding, rarity: Rarity) -> tuple[Name, ...]:
    """The subject's names, the question's own first; all words of the question where it has no subject."""
    texts = [understanding.subject, *understanding.names] if understanding.subject else [understanding.text]
    return tuple(n for n in (name_of(t, rarity) for t in dict.fromkeys(texts)) if n is not None)


def subject_signals(names: Sequence[Name], document: Sequence[Passage], rarity: Rarity) -> list[dict[str, float]]:
    """Signals of each retrieved passage of one document, in order, by the name that fits the document best.

    Those that begin with ``title_`` are missing where there is no title.
    """
    return max((_signals(name, document, rarity) for name in names), key=_fit)


def _fit(signals: Sequence[dict[str, float]]) -> float:
    return max(s.get("title_near", 0.0) + s["text_near"] + s["lead_near"] for s in signals)


def _signals(name: Name, document: Sequence[Passage], rarity: Rarity) -> list[dict[str, float]]:
    whole = match(name, [stem for p in document for stem in p.stems], rarity)
    openings = [match(name, p.lead, rarity) for p in document if p.opens]
    titles = {title: _title_signals(name, title, rarity) for title in {p.title for p in document}}
    return [titles[p.title] | _text_signals(name, p, whole, openings, rarity) for p in document]


def _title_signals(name: Name, title: Title, rarity: Rarity) -> dict[str, float]:
    if not title.stems:
        return {}
    found = match(name, title.stems, rarity)
    asked = set(name.stems)
    extra = min(
        _extra(part, asked, rarity) for part in title.parts if match(name, part, rarity).cover >= found.cover - 1e-9
    )
    return {
        "title_cover": found.cover,
        "title_near": found.near,
        "title_missing": found.missing,
        "title_extra": extra,
        "title_exact": float(found.cover > 1 - 1e-6 and extra < 1e-6),
        "title_conflict": conflict(name, title.stems),
    }


def _extra(stems: Sequence[str], asked: set[str], rarity: Rarity) -> float:
    """Share of the title's weight that the subject does not have: *Childhood*, *type 2*."""
    told = Name.of(stems, rarity)
    return sum(w for s, w in told.weights.items() if s not in asked) / told.total


def _text_signals(
    name: Name, passage: Passage, whole: Match, openings: Sequence[Match], rarity: Rarity
) -> dict[str, float]:
    own = match(name, passage.stems, rarity)
    lead = max((*openings, match(name, passage.lead, rarity)), key=lambda m: (m.near, -m.start))
    return {
        "text_cover": own.cover,
        "text_near": own.near,
        "text_missing": own.missing,
        "document_near": whole.near,
        "document_missing": whole.missing,
        "lead_near": lead.near,
        "lead_early": lead.near * (1.0 - lead.start),
        "lead_before": lead.before if lead.near > _NAMED_IN_LEAD else 0.0,
        "often": min(1.0, count(name, passage.stems) / _OFTEN),
    }


def _announces(rest: str) -> bool:
    """Whether a heading names an aspect."""
    return any(a.title is not None and a.title.search(rest) for a in aspects().values())


def _distinct(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(content_terms(text)))


@lru_cache(maxsize=8192)
def _read_text(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    end = _LEAD.search(text, _LEAD_LEAST)
    lead = text[: min(end.start() if end else _LEAD_MOST, _LEAD_MOST)]
    return tuple(content_terms(text)), tuple(content_terms(lead))
