"""What is read of a PubMed record: an article, or a book's chapter, as plain frozen values."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.schema import Value


class Section(Value):
    """A part of an abstract; the label is as printed (``METHODS``), empty in an unstructured abstract."""

    label: str = ""
    text: str


class Abstract(Value):
    """An abstract in one language (ISO 639-2, such as ``eng``)."""

    language: str
    sections: tuple[Section, ...]

    @property
    def text(self) -> str:
        """All sections, each after its label, with an empty line between two so that no sentence runs across."""
        return "\n\n".join(f"{part.label}: {part.text}" if part.label else part.text for part in self.sections)


class Heading(Value):
    """A MeSH heading by its ids, such as ``D008687`` with the qualifier ``Q000627``; ``major`` is MeSH's asterisk."""

    id: str
    name: str
    major: bool = False
    qualifiers: tuple[tuple[str, str], ...] = Field((), description="id and name of each")


class Link(Value):
    """A relation to another publication: a correction, retraction, comment or expression of concern.

    ``kind`` is NLM's RefType, such as ``RetractionIn``; ``cited`` is how it is printed. Plain citations are left out.
    """

    kind: str
    cited: str
    pmid: str | None = None


class Journal(Value):
    """Where a record appeared; a book's title where it is one."""

    title: str = ""
    abbreviation: str = ""
    issn: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None


class Record(Value):
    """A record as PubMed has it. ``published`` is a date as exact as is known: YYYY, YYYY-MM or YYYY-MM-DD."""

    pmid: str
    version: str = "1"
    kind: Literal["article", "book"] = "article"
    title: str = ""
    vernacular_title: str | None = None
    languages: tuple[str, ...] = ()
    abstracts: tuple[Abstract, ...] = Field((), description="the main one first, then translations and summaries")
    copyright: str | None = None
    journal: Journal = Journal()
    published: str | None = None
    authors: tuple[str, ...] = Field((), description="'Family Given', or the name of a group")
    editors: tuple[str, ...] = ()
    types: tuple[str, ...] = Field((), description="publication types")
    headings: tuple[Heading, ...] = ()
    supplementary: tuple[str, ...] = Field((), description="MeSH ids of supplementary diseases, organisms, protocols")
    keywords: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    doi: str | None = None
    pmcid: str | None = None
    bookshelf: str | None = Field(None, description="accession of a book's chapter, such as NBK12345")

    @property
    def abstract(self) -> Abstract | None:
        """The abstract that is shown: the main one, otherwise an English one, otherwise any."""
        english = (found for found in self.abstracts if found.language == "eng")
        main = next((found for found in self.abstracts[:1] if found.language in ("eng", "")), None)
        return main or next(english, None) or next(iter(self.abstracts), None)
