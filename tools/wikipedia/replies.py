"""What the MediaWiki API sends (``formatversion=2``), as far as it is read."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, Field, field_validator

STUB_CHARS = 600
"""A page with less text than this is a stub, whatever it is marked as."""
_STUB_CATEGORY = re.compile(r"\bstubs?$|:(?:Wikipédia:)?ébauche|:wikipedia:esbozo", re.IGNORECASE)


class Revision(BaseModel):
    """The revision that the text is of."""

    revid: int
    timestamp: str = ""


class Category(BaseModel):
    """A category that a page is in."""

    title: str


class Page(BaseModel):
    """A page; one that does not exist is ``missing``, or ``invalid`` where its title cannot be one."""

    pageid: int = 0
    title: str
    index: int = Field(0, description="place among the results of a search, from 1")
    missing: bool = False
    invalid: bool = False
    extract: str = ""
    fullurl: str = ""
    pageprops: dict[str, str] = Field(default_factory=dict)
    revisions: tuple[Revision, ...] = ()
    categories: tuple[Category, ...] = ()

    @field_validator("pageprops", mode="before")
    @classmethod
    def _named(cls, props: Any) -> Any:
        return {} if props == [] else props  # PHP's empty map

    @property
    def exists(self) -> bool:
        """Whether there is such a page."""
        return not (self.missing or self.invalid)

    @property
    def is_disambiguation(self) -> bool:
        """Whether it only lists pages of the same name."""
        return "disambiguation" in self.pageprops

    @property
    def is_stub(self) -> bool:
        """Whether it is marked as a stub, or has next to no text."""
        marked = any(_STUB_CATEGORY.search(category.title) for category in self.categories)
        return marked or len(self.extract) < STUB_CHARS


class Query(BaseModel):
    """The pages of a reply."""

    pages: tuple[Page, ...] = ()


class Fault(BaseModel):
    """An error, which comes with status 200; ``lag`` in seconds where the database is behind."""

    code: str
    lag: float | None = None


class Answer(BaseModel):
    """One reply; without hits it has no ``query``. Its ``continue`` says what to ask for the rest."""

    query: Query = Query()
    error: Fault | None = None
    batchcomplete: bool = False
    further: dict[str, str | int] = Field(default_factory=dict, alias="continue")
