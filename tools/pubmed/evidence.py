"""From records to evidence: what a reader, the selection and the verification get to know of an article."""

from __future__ import annotations

from collections.abc import Iterator

from core.schema import Evidence
from tools.pubmed.records import Record
from tools.pubmed.retractions import Retractions, trust
from tools.pubmed.strength import level_of

SITE = "https://pubmed.ncbi.nlm.nih.gov/"

_CHECK_TAGS = frozenset(
    """D006801 D000818 D008297 D005260 D000328 D000368 D000369 D008875 D055815 D000293 D002648 D002675 D007223 D007231
    D011247 D051379 D051381 D002415 D002417 D002642 D006224 D004285 D006168 D011817""".split()
)
"""Headings that tell who was studied (Humans, Female, Aged, Mice, …), which is not what an article is about."""


def evidence_of(record: Record, listed: Retractions, query: str, score: float) -> Evidence | None:
    """Return a record as evidence; None for one without an abstract, since a title alone supports nothing.

    Args:
        record: the record.
        listed: the offline list of retracted articles.
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
        about=tuple(dict.fromkeys(_subjects(record))),
        same_as=tuple(_elsewhere(record)),
        owner=record.journal.abbreviation or record.journal.title or None,
        version=record.version if record.version != "1" else None,
    )


def _elsewhere(record: Record) -> Iterator[str]:
    """The article's ids in other places: by them another source's copy of it is known as one."""
    if record.doi:
        yield f"doi:{record.doi.lower()}"
    if record.pmcid:
        yield f"pmcid:{record.pmcid}"


def _subjects(record: Record) -> Iterator[str]:
    """CURIEs of the article's headings, the main ones first."""
    kept = [heading for heading in record.headings if heading.id not in _CHECK_TAGS]
    for heading in sorted(kept, key=lambda heading: not heading.major):
        yield f"MESH:{heading.id}"
    yield from (f"MESH:{identifier}" for identifier in record.supplementary)
