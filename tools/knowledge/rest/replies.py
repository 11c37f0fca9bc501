"""What the service answers, as far as it is used: each model reads the reply's own field names.

Source: the UMLS API's technical documentation, https://documentation.uts.nlm.nih.gov/rest/home.html
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel


def _said(value: Any) -> Any:
    """Take the service's words for nothing (null, ``NONE``) as an empty text."""
    return "" if value is None or value == "NONE" else value


def _without_query(value: Any) -> Any:
    """Leave out what was asked of an address: a reply that repeats the key must not bring it into the cache."""
    return _said(value.partition("?")[0] if isinstance(value, str) else value)


Text = Annotated[str, BeforeValidator(_said)]
Address = Annotated[str, BeforeValidator(_without_query)]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Hit(_Reply):
    """A row of a search; the row that says that there is none has an empty ``ui``."""

    ui: Text
    name: Text


class SemanticType(_Reply):
    """A semantic type; its address ends with the release and the TUI: ``…/2024AA/TUI/T047``."""

    name: Text
    uri: Address = ""


class ConceptRecord(_Reply):
    """A concept of the Metathesaurus."""

    ui: str = Field(min_length=1)
    name: str = Field(min_length=1)
    semantic_types: tuple[SemanticType, ...] = ()

    @property
    def release(self) -> str | None:
        """The release of the UMLS that answered, such as ``2024AA``; None where the reply does not say."""
        parts = [kind.uri.split("/") for kind in self.semantic_types]
        return next((p[-3] for p in parts if len(p) > 2 and p[-2] == "TUI" and p[-3] != "current"), None)


class Atom(_Reply):
    """A name that a vocabulary has for a concept."""

    name: Text
    root_source: Text = ""
    suppressible: bool = False
    obsolete: bool = False


class AtomRecord(_Reply):
    """An atom asked for by its id, with the address of its concept."""

    concept: Address


class CodeRecord(_Reply):
    """A vocabulary's code, with the address of its concept or of the search for it."""

    concepts: Address = ""
    name: Text = ""


class DefinitionRow(_Reply):
    """What a vocabulary says that a concept is."""

    value: str
    root_source: str


class RelationRow(_Reply):
    """A relation of a concept, which reads from left to right: from-name, label, related name.

    That is so in the documentation's own samples: "Closed fracture of carpal bone" PAR/inverse_isa "Closed fracture of
    left wrist" says that the first is the parent. (A row of MRREL reads the other way round: its second concept is
    what the label says to its first.)
    """

    relation_label: Text
    additional_relation_label: Text = ""
    related_id: Address
    related_id_name: Text = ""
    root_source: Text = ""
    suppressible: bool = False
    obsolete: bool = False


R = TypeVar("R", bound=_Reply)


class One(BaseModel, Generic[R]):
    """A reply about one thing."""

    result: R


class Page(BaseModel, Generic[R]):
    """A page of rows; ``page_count`` is missing from a search's reply."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    result: tuple[R, ...]
    page_size: int | None = None
    page_count: int | None = None

    def is_last(self, number: int, asked: int) -> bool:
        """Whether no page follows this one, the ``number``-th of pages of ``asked`` rows."""
        if self.page_count:
            return number >= self.page_count
        return len(self.result) < min(self.page_size or asked, asked)


def _rows(value: Any) -> Any:
    return value["results"] if isinstance(value, dict) and "results" in value else value


class SearchPage(Page[Hit]):
    """A page of hits, which lie one step deeper than the rows of other replies do."""

    result: Annotated[tuple[Hit, ...], BeforeValidator(_rows)]
