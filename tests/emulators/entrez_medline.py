"""Records of PubMed's XML as efetch's MEDLINE text, by NLM's list of fields and as its servers lay them out.

Source: https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format. It shares no code with what it plays against.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

WIDTH = 81
LINKS = {
    "CommentOn": "CON",
    "CommentIn": "CIN",
    "CorrectedandRepublishedIn": "CRI",
    "ErratumIn": "EIN",
    "ErratumFor": "EFR",
    "ExpressionOfConcernIn": "ECI",
    "PartialRetractionIn": "PRIN",
    "RetractedandRepublishedIn": "RRI",
    "RetractionIn": "RIN",
    "RetractionOf": "ROF",
    "UpdateIn": "UIN",
    "UpdateOf": "UOF",
}

Line = tuple[str, str]


def medline(xml: str | bytes) -> str:
    """Every article and chapter in a document, with an empty line after each."""
    root = ElementTree.fromstring(xml)
    lines = ["\n"]
    for record in root.iter():
        if record.tag in ("PubmedArticle", "PubmedBookArticle"):
            fields = _article(record) if record.tag == "PubmedArticle" else _chapter(record)
            lines += [_laid_out(tag, text) for tag, text in fields if text]
            lines.append("\n")
    return "".join(lines)


def _laid_out(tag: str, text: str) -> str:
    kept = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tag:<4}- " + "\n      ".join(kept) + "\n"


def _article(record: Element) -> Iterator[Line]:
    citation = record.find("MedlineCitation")
    article = record.find("MedlineCitation/Article")
    assert citation is not None
    assert article is not None
    journal = record.find("MedlineCitation/Article/Journal")
    yield "PMID", _one(citation, "PMID")
    yield "OWN", citation.get("Owner", "")
    yield "STAT", citation.get("Status", "")
    yield "IS", _one(article, "Journal/ISSN")
    yield "VI", _one(article, "Journal/JournalIssue/Volume")
    yield "IP", _one(article, "Journal/JournalIssue/Issue")
    printed = _printed(article.find("Journal/JournalIssue/PubDate"))
    yield "DP", printed
    yield "TI", _one(article, "ArticleTitle")
    yield "PG", _one(article, "Pagination/MedlinePgn")
    for place in article.iterfind("ELocationID"):
        yield "LID", f"{_text(place)} [{place.get('EIdType')}]"
    yield from _abstract(article)
    for other in citation.iterfind("OtherAbstract"):
        yield "OAB", _told(other)
        yield "OABL", other.get("Language", "")
    for person in article.iterfind("AuthorList/Author"):
        yield "FAU", f"{_one(person, 'LastName')}, {_one(person, 'ForeName')}"
        yield "AU", f"{_one(person, 'LastName')} {_one(person, 'Initials')}"
    yield from (("LA", _text(e)) for e in article.iterfind("Language"))
    yield from (("PT", _text(e)) for e in article.iterfind("PublicationTypeList/PublicationType"))
    yield "TT", _one(article, "VernacularTitle")
    if (electronic := article.find("ArticleDate")) is not None:
        yield "DEP", "".join(_one(electronic, part).zfill(2) for part in ("Year", "Month", "Day"))
    abbreviation = _one(citation, "MedlineJournalInfo/MedlineTA") or _one(article, "Journal/ISOAbbreviation")
    yield "TA", abbreviation
    yield "JT", _text(journal.find("Title")) if journal is not None else ""
    yield from (("MH", _heading(e)) for e in citation.iterfind("MeshHeadingList/MeshHeading"))
    yield from (("OT", _text(e)) for e in citation.iterfind("KeywordList/Keyword"))
    yield from _links(citation)
    yield from _ids(record, "PubmedData")
    yield "SO", f"{abbreviation}. {printed};{_one(article, 'Journal/JournalIssue/Volume')}."


def _chapter(record: Element) -> Iterator[Line]:
    document = record.find("BookDocument")
    assert document is not None
    yield "PMID", _one(document, "PMID")
    yield "STAT", "Publisher"
    contributed = document.find("ContributionDate")
    if contributed is not None:
        yield "CTDT", "".join(_one(contributed, part).zfill(2) for part in ("Year", "Month", "Day"))
    yield "PB", _one(document, "Book/Publisher/PublisherName")
    yield "DP", _printed(document.find("Book/PubDate"))
    yield "TI", _one(document, "ArticleTitle")
    yield "BTI", _one(document, "Book/BookTitle")
    yield from _abstract(document)
    yield from (("LA", _text(e)) for e in document.iterfind("Language"))
    yield from (("PT", _text(e)) for e in document.iterfind("PublicationType"))
    yield "PT", "Book Chapter"
    yield from _ids(record, "BookDocument")


def _abstract(article: Element) -> Iterator[Line]:
    if (abstract := article.find("Abstract")) is not None:
        yield "AB", _told(abstract)
        yield "CI", _one(abstract, "CopyrightInformation")


def _told(abstract: Element) -> str:
    parts = ((part.get("Label"), _text(part)) for part in abstract.iterfind("AbstractText"))
    return " ".join(f"{label}: {text}" if label else text for label, text in parts)


def _heading(element: Element) -> str:
    names = (element.find("DescriptorName"), *element.iterfind("QualifierName"))
    return "/".join(("*" if e.get("MajorTopicYN") == "Y" else "") + _text(e) for e in names if e is not None)


def _links(citation: Element) -> Iterator[Line]:
    for element in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        if tag := LINKS.get(element.get("RefType", "")):
            other = _one(element, "PMID")
            yield tag, f"{_one(element, 'RefSource')}{f' PMID: {other}' if other else ''}"


def _ids(record: Element, place: str) -> Iterator[Line]:
    for element in record.iterfind(f"{place}/ArticleIdList/ArticleId"):
        kind = element.get("IdType", "")
        if kind == "pmc":
            yield "PMC", _text(element)
        elif kind != "pubmed":
            yield "AID", f"{_text(element)} [{kind}]"


def _printed(date: Element | None) -> str:
    if date is None:
        return ""
    return _one(date, "MedlineDate") or " ".join(_text(part) for part in date)


def _one(element: Element, path: str) -> str:
    return _text(element.find(path))


def _text(element: Element | None) -> str:
    return " ".join(_raw(element).split()) if element is not None else ""


def _raw(element: Element) -> str:
    """The text with its markup gone: what stands above or below the line comes in parentheses, as in CO(2)."""
    pieces = [element.text or ""]
    for child in element:
        if child.tag in ("sup", "sub"):
            pieces.append(f"({_raw(child)})")
        elif child.tag.endswith("}math"):
            pieces.append("".join("".join(child.itertext()).split()))
        else:
            pieces.append(_raw(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
