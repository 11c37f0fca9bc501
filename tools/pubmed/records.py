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
    """A MeSH heading by its name; ``major``: the article is about it, or about a side of it (MeSH's asterisk)."""

    name: str
    major: bool = False


class Link(Value):
    """A relation to another publication: a correction, retraction, comment or expression of concern.

    ``kind`` is NLM's name for it, such as ``RetractionIn``; ``cited`` is how it is printed.
    """

    kind: str
    cited: str
    pmid: str | None = None


class Journal(Value):
    """Where a record appeared; a book's title where it is one."""

    title: str = ""
    abbreviation: str = ""


class Record(Value):
    """A record as PubMed has it. ``published`` is a date as exact as is known: YYYY, YYYY-MM or YYYY-MM-DD."""

    pmid: str
    kind: Literal["article", "book"] = "article"
    title: str = ""
    vernacular_title: str | None = None
    languages: tuple[str, ...] = ()
    abstracts: tuple[Abstract, ...] = Field((), description="the main one first, then translations and summaries")
    copyright: str | None = None
    journal: Journal = Journal()
    published: str | None = None
    types: tuple[str, ...] = Field((), description="publication types")
    headings: tuple[Heading, ...] = ()
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
