"""From records to evidence: what a reader, the selection and the verification get to know of an article."""

from __future__ import annotations

from collections.abc import Iterator

from core.schema import Evidence
from tools.pubmed.headings import Headings
from tools.pubmed.records import Record
from tools.pubmed.retractions import Retractions, trust
from tools.pubmed.strength import level_of

SITE = "https://pubmed.ncbi.nlm.nih.gov/"

_CHECK_TAGS = frozenset(
    "Humans|Animals|Male|Female|Adult|Aged|Aged, 80 and over|Middle Aged|Young Adult|Adolescent|Child|Child, Preschool|"
    "Infant|Infant, Newborn|Pregnancy|Mice|Rats|Cats|Cattle|Chick Embryo|Cricetinae|Dogs|Guinea Pigs|Rabbits".split("|")
)
"""Headings that tell who was studied, which is not what an article is about."""


def evidence_of(record: Record, listed: Retractions, headings: Headings, query: str, score: float) -> Evidence | None:
    """Return a record as evidence; None for one without an abstract, since a title alone supports nothing.

    Args:
        record: the record.
        listed: the offline list of retracted articles.
        headings: MeSH's, by which the record's are known.
        query: the query that found it, as it was run.
        score: its relevance, in (0, 1].
    """
    abstract = record.abstract
    if abstract is None:
        return None
    judged = trust(record, listed)
    return Evidence(
        id=f"pubmed:{record.pmid}",
        text=abstract.text,
        title=record.title,
        url=f"{SITE}{record.pmid}/",
        published=record.published,
        source="pubmed",
        level=level_of(record),
        retracted=judged.retracted,
        notice=judged.notice,
        licence=record.copyright,
        query=query,
        score=score,
        about=tuple(dict.fromkeys(_subjects(record, headings))),
        same_as=tuple(_elsewhere(record)),
        owner=record.journal.abbreviation or record.journal.title or None,
    )


def _elsewhere(record: Record) -> Iterator[str]:
    """The article's ids in other places: by them another source's copy of it is known as one."""
    if record.doi:
        yield f"doi:{record.doi.lower()}"
    if record.pmcid:
        yield f"pmcid:{record.pmcid}"


def _subjects(record: Record, headings: Headings) -> Iterator[str]:
    """CURIEs of the article's headings, the main ones first."""
    for heading in sorted(record.headings, key=lambda heading: not heading.major):
        if heading.name not in _CHECK_TAGS and (curie := headings.curie(heading.name)):
            yield curie
