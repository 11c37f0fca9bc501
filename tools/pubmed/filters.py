"""Conditions that every query carries, whatever it asks: humans, years, kinds of publication, language."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from core.schema import Value

Year = Annotated[int, Field(ge=1500, le=2999)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w' ,.()&/-]+$", max_length=100)]
_QUOTED = re.compile(r"[^\w\s\'\-,./+]")


class Filters(Value):
    """What is asked of every article; by default only that it has an abstract, since a title supports nothing."""

    abstracts: bool = Field(True, description="only articles with an abstract")
    humans: bool = Field(False, description="no article that is indexed as of animals and not of humans")
    from_year: Year | None = None
    to_year: Year | None = None
    types: tuple[Name, ...] = Field((), description="publication types, any of which will do")
    language: Name | None = Field(None, description="such as english")

    @model_validator(mode="after")
    def _ordered(self) -> Filters:
        if self.from_year and self.to_year and self.from_year > self.to_year:
            raise ValueError(f"no year is from {self.from_year} to {self.to_year}: exchange them")
        return self

    def applied(self, term: str) -> str:
        """Return a query with these conditions.

        What is not indexed yet is neither of animals nor of humans in PubMed: it is kept.
        """
        kept = [f"({term})"]
        if self.abstracts:
            kept.append("hasabstract")
        if self.from_year or self.to_year:
            kept.append(f"{self.from_year or 1500}:{self.to_year or 3000}[Date - Publication]")
        if self.types:
            kept.append("(" + " OR ".join(f'"{_plain(name)}"[Publication Type]' for name in self.types) + ")")
        if self.language:
            kept.append(f"{_plain(self.language).lower()}[Language]")
        if self.humans:
            return " AND ".join(kept) + ' NOT ("animals"[MeSH Terms] NOT "humans"[MeSH Terms])'
        return " AND ".join(kept) if len(kept) > 1 else term


def _plain(name: str) -> str:
    return _QUOTED.sub(" ", name).strip()
