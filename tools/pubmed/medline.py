"""Records out of efetch's MEDLINE text, read by Biopython's ``Bio.Medline``.

Source: https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format, NLM's list of the fields.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from Bio import Medline

from core.errors import SourceError
from tools.pubmed.dates import date_of, earliest
from tools.pubmed.records import Abstract, Heading, Journal, Link, Record, Section

Fields = Mapping[str, Any]
"""A record as Bio.Medline has it: a text or a list of texts by tag, in the reply's order."""

LINKS = {
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "PRIN": "PartialRetractionIn",
    "RRI": "RetractedandRepublishedIn",
    "ECI": "ExpressionOfConcernIn",
    "CRI": "CorrectedandRepublishedIn",
    "EIN": "ErratumIn",
    "UIN": "UpdateIn",
}
"""Tags of links to other publications that bear on what a record says, by NLM's names for them."""

_CONTINUED = "\n      "
_LABEL = re.compile(r"""(?:^|(?:(?<=[.?!])|(?<=[.?!][)\]"'”’]))[ ])([A-Z][A-Z0-9 ,/&()’'–-]{2,99}):(?:[ ]|$)""")
"""Capitals with a colon where a sentence could begin."""
_UNLABELLED = "UNLABELLED"
_NOT_AVAILABLE = "[not available]"
_ELSEWHERE = "Publisher: Abstract available"
_LINKED = re.compile(r"\s*\bPMID: (\d{1,10})\.?$")
_MARKUP = re.compile(r"<[^<>]*>")


def read_records(body: bytes, host: str = "PubMed") -> tuple[Record, ...]:
    """Return the records of a reply, in its order, articles and books alike.

    Args:
        body: the reply.
        host: what errors call its sender.

    Raises:
        SourceError: it holds something, but no records, or it breaks off within one. A reply that breaks off between
            two records looks whole: the caller compares what was asked for.
    """
    text = body.decode("utf-8", "replace").replace("\r\n", "\n")
    # Bio.Medline would take each line that goes on with a link or a publication type for another one
    lines = io.StringIO(text.replace(_CONTINUED, " "))
    try:
        parsed: Iterator[Fields] = Medline.parse(lines)  # type: ignore[no-untyped-call]  # Biopython has no types
        found = [fields for fields in parsed if "PMID" in fields]
    except (KeyError, IndexError) as error:
        raise SourceError(f"{host} sent text that is no MEDLINE record ({error!r}): try again later") from None
    if not found and text.strip():
        said = " ".join(_MARKUP.sub(" ", text[:2_000]).split())[:200]
        raise SourceError(f"{host} sent no records but: {said}; try again later, and check the address set for it")
    if found and not (text.endswith("\n") and _is_whole(found[-1])):
        raise SourceError(f"{host} answered with text that breaks off within a record: try again later")
    return tuple(map(_record, found))


def _is_whole(fields: Fields) -> bool:
    """Whether a record has its last field: an article its source, a book's chapter its accession."""
    return "SO" in fields or ("BTI" in fields and _identified(fields, "bookaccession") is not None)


def _record(fields: Fields) -> Record:
    book, vernacular = _text(fields, "BTI"), _text(fields, "TT") or None
    title = _text(fields, "TI")
    if not title or title.rstrip(".").lower() == _NOT_AVAILABLE:
        title = vernacular or book
    dates = (date_of(_text(fields, tag)) for tag in (("CTDT",) if book else ("DP", "DEP")))
    return Record(
        pmid=_text(fields, "PMID"),
        kind="book" if book else "article",
        title=title,
        vernacular_title=vernacular,
        languages=tuple(_texts(fields, "LA")),
        abstracts=tuple(_abstracts(fields)),
        copyright=_text(fields, "CI") or None,
        journal=Journal(title=book or _text(fields, "JT"), abbreviation=_text(fields, "TA")),
        published=earliest(dates) or date_of(_text(fields, "DP")) or date_of(_text(fields, "EDAT")),
        types=tuple(_texts(fields, "PT")),
        headings=tuple(map(_heading, _texts(fields, "MH"))),
        links=tuple(_link(kind, told) for tag, kind in LINKS.items() for told in _texts(fields, tag)),
        doi=_identified(fields, "doi"),
        pmcid=_text(fields, "PMC") or None,
        bookshelf=_identified(fields, "bookaccession"),
    )


def _texts(fields: Fields, tag: str) -> Sequence[str]:
    """The values of a tag, white space made single; Bio.Medline joins those of tags that occur once."""
    value = fields.get(tag, ())
    return [text for part in ([value] if isinstance(value, str) else value) if (text := " ".join(part.split()))]


def _text(fields: Fields, tag: str) -> str:
    return " ".join(_texts(fields, tag))


def _identified(fields: Fields, kind: str) -> str | None:
    """The article's id of that kind, such as ``10.1000/1 [doi]``."""
    told = re.search(rf"(\S+) \[{kind}\]", f"{_text(fields, 'AID')} {_text(fields, 'LID')}")
    return told[1] if told else None


def _abstracts(fields: Fields) -> Iterator[Abstract]:
    """The main abstract, which is in English, then the others; those that only the publisher has left out."""
    if main := _text(fields, "AB"):
        yield Abstract(language="eng", sections=tuple(_sections(main)))
    for text, language in zip(_texts(fields, "OAB"), _texts(fields, "OABL"), strict=False):
        if not text.startswith(_ELSEWHERE):
            yield Abstract(language=language, sections=tuple(_sections(text)))


def _sections(abstract: str) -> Iterator[Section]:
    """The parts of a structured abstract, which begins with a label; anything else is one part."""
    marks = list(_LABEL.finditer(abstract))
    if not marks or marks[0].start():
        yield Section(text=abstract)
        return
    ends = [*(mark.start() for mark in marks[1:]), len(abstract)]
    for mark, end in zip(marks, ends, strict=True):
        if text := abstract[mark.end() : end].strip():
            yield Section(label="" if mark[1] == _UNLABELLED else mark[1], text=text)


def _heading(told: str) -> Heading:
    """``Sequence Analysis/*methods``: a name, qualifiers after slashes, an asterisk on what the article is about."""
    return Heading(name=told.partition("/")[0].strip("*"), major="*" in told)


def _link(kind: str, told: str) -> Link:
    other = _LINKED.search(told)
    return Link(kind=kind, cited=told[: other.start()] if other else told, pmid=other[1] if other else None)
