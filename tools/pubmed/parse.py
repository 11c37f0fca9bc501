"""Records out of efetch's XML (PubmedArticleSet), by NLM's element names.

Source: https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/250101/; elements that are not known are passed over, so that a
later DTD does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.errors import SourceError
from tools.pubmed.dates import date_of, earliest
from tools.pubmed.records import Abstract, Heading, Journal, Link, Record, Section
from tools.pubmed.xmltext import parsed, text_of

_NOT_AVAILABLE = "[not available]"
_CITES = "Cites"
_UNLABELLED = "UNLABELLED"


def read_records(body: bytes, host: str = "PubMed") -> tuple[Record, ...]:
    """Return the records of a reply, in its order, articles and books alike.

    Args:
        body: the reply.
        host: what errors call its sender.

    Raises:
        SourceError: it is no set of PubMed records: not XML, cut short, or an error said in XML.
    """
    root = parsed(body, host)
    if root.tag != "PubmedArticleSet":
        told = text_of(root.find(".//ERROR") if root.tag != "ERROR" else root)[:200]
        raise SourceError(
            f"{host} sent no records"
            + (f" and says: {told}" if told else f" but <{root.tag[:40]}>")
            + ": try again later, and check the address set for it"
        )
    try:
        return tuple(record for element in root if (record := _record(element)) is not None)
    except RecursionError:
        raise SourceError(f"{host} sent records whose markup is nested too deeply: they are not read") from None


def _record(element: Element) -> Record | None:
    if element.tag == "PubmedArticle":
        citation = element.find("MedlineCitation")
        return None if citation is None else _article(citation, element.find("PubmedData"))
    if element.tag == "PubmedBookArticle":
        document = element.find("BookDocument")
        return None if document is None else _chapter(document, element.find("PubmedBookData"))
    return None  # such as DeleteCitation


def _article(citation: Element, data: Element | None) -> Record | None:
    pmid, article = citation.find("PMID"), citation.find("Article")
    if pmid is None or article is None or not text_of(pmid):
        return None
    ids = _ids(data)
    title, vernacular = _titles(article)
    dates = (date_of(article.find("Journal/JournalIssue/PubDate")), *map(date_of, article.findall("ArticleDate")))
    return Record(
        pmid=text_of(pmid),
        version=pmid.get("Version", "1"),
        title=title,
        vernacular_title=vernacular,
        languages=_texts(article, "Language"),
        abstracts=tuple(_abstracts(article, citation)),
        copyright=text_of(article.find("Abstract/CopyrightInformation")) or None,
        journal=_journal(article),
        published=earliest(iter(dates)) or _received(data),
        authors=tuple(_people(article.findall("AuthorList"), editors=False)),
        editors=tuple(_people(article.findall("AuthorList"), editors=True)),
        types=_texts(article, "PublicationTypeList/PublicationType"),
        headings=tuple(_headings(citation)),
        supplementary=tuple(e.get("UI", "") for e in citation.iterfind("SupplMeshList/SupplMeshName") if e.get("UI")),
        keywords=_texts(citation, "KeywordList/Keyword"),
        links=tuple(_links(citation)),
        doi=ids.get("doi") or _located(article),
        pmcid=ids.get("pmc"),
    )


def _chapter(document: Element, data: Element | None) -> Record | None:
    pmid, book = document.find("PMID"), document.find("Book")
    if pmid is None or not text_of(pmid):
        return None
    ids = _ids(data) | _ids(document)
    title, vernacular = _titles(document)
    book_title = text_of(book.find("BookTitle")) if book is not None else ""
    whose = [*document.findall("AuthorList"), *(book.findall("AuthorList") if book is not None else ())]
    date = date_of(document.find("ContributionDate")) or date_of(book.find("PubDate") if book is not None else None)
    return Record(
        pmid=text_of(pmid),
        version=pmid.get("Version", "1"),
        kind="book",
        title=title or book_title,
        vernacular_title=vernacular,
        languages=_texts(document, "Language"),
        abstracts=tuple(_abstracts(document, document)),
        copyright=text_of(document.find("Abstract/CopyrightInformation")) or None,
        journal=Journal(title=book_title, pages=text_of(document.find("Pagination/MedlinePgn")) or None),
        published=date or _received(data),
        authors=tuple(_people(whose, editors=False)),
        editors=tuple(_people(whose, editors=True)),
        types=_texts(document, "PublicationType"),
        keywords=_texts(document, "KeywordList/Keyword"),
        doi=ids.get("doi"),
        pmcid=ids.get("pmc"),
        bookshelf=ids.get("bookaccession"),
    )


def _titles(article: Element) -> tuple[str, str | None]:
    """The title and the one in the article's own language; the latter stands in where there is no other."""
    title, vernacular = text_of(article.find("ArticleTitle")), text_of(article.find("VernacularTitle")) or None
    if not title or title.rstrip(".").lower() == _NOT_AVAILABLE:
        title = vernacular or ""
    return title, vernacular


def _abstracts(article: Element, citation: Element) -> Iterator[Abstract]:
    """The main abstract, which is in English, then the others; those without any text left out."""
    for element in (*article.findall("Abstract"), *citation.findall("OtherAbstract")):
        sections = tuple(_sections(element))
        if sections:
            yield Abstract(language=element.get("Language", "eng"), sections=sections)


def _sections(abstract: Element) -> Iterator[Section]:
    for part in abstract.iterfind("AbstractText"):
        if text := text_of(part):
            label = part.get("Label", "").strip().rstrip(":")
            yield Section(label="" if label == _UNLABELLED else label, text=text)


def _journal(article: Element) -> Journal:
    journal = article.find("Journal")
    if journal is None:
        return Journal()
    return Journal(
        title=text_of(journal.find("Title")),
        abbreviation=text_of(journal.find("ISOAbbreviation")),
        issn=text_of(journal.find("ISSN")) or None,
        volume=text_of(journal.find("JournalIssue/Volume")) or None,
        issue=text_of(journal.find("JournalIssue/Issue")) or None,
        pages=text_of(article.find("Pagination/MedlinePgn")) or None,
    )


def _people(lists: list[Element], *, editors: bool) -> Iterator[str]:
    for people in lists:
        if (people.get("Type") == "editors") is editors:
            for person in people.iterfind("Author"):
                given = text_of(person.find("ForeName")) or text_of(person.find("Initials"))
                parts = (text_of(person.find("LastName")), given, text_of(person.find("Suffix")))
                if name := text_of(person.find("CollectiveName")) or " ".join(filter(None, parts)):
                    yield name


def _headings(citation: Element) -> Iterator[Heading]:
    for element in citation.iterfind("MeshHeadingList/MeshHeading"):
        name = element.find("DescriptorName")
        if name is not None and (identifier := name.get("UI")):
            qualifiers = element.findall("QualifierName")
            yield Heading(
                id=identifier,
                name=text_of(name),
                major=any(part.get("MajorTopicYN") == "Y" for part in (name, *qualifiers)),
                qualifiers=tuple((part.get("UI", ""), text_of(part)) for part in qualifiers),
            )


def _links(citation: Element) -> Iterator[Link]:
    for element in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        kind = element.get("RefType", "")
        if kind and kind != _CITES:
            cited, note = text_of(element.find("RefSource")), text_of(element.find("Note"))
            yield Link(kind=kind, cited=cited or note, pmid=text_of(element.find("PMID")) or None)


def _ids(element: Element | None) -> dict[str, str]:
    """Ids of the record itself by kind; those of its references stand deeper."""
    if element is None:
        return {}
    found = ((e.get("IdType", "pubmed"), text_of(e)) for e in element.iterfind("ArticleIdList/ArticleId"))
    return {kind: value for kind, value in found if value}


def _located(article: Element) -> str | None:
    places = article.iterfind("ELocationID")
    return next((text_of(e) for e in places if e.get("EIdType") == "doi" and e.get("ValidYN") != "N"), None)


def _received(data: Element | None) -> str | None:
    """When PubMed received the record: for those that give no date of publication."""
    dates = data.iterfind("History/PubMedPubDate") if data is not None else ()
    return next((date_of(e) for e in dates if e.get("PubStatus") in ("pubmed", "entrez")), None)


def _texts(element: Element, path: str) -> tuple[str, ...]:
    return tuple(text for e in element.iterfind(path) if (text := text_of(e)))
