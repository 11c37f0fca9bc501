"""What the repository keeps: documents, and the names by which they and their passages are known."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from urllib.parse import quote, unquote

from core.errors import InputError

MAX_ID_CHARS = 500
DATES = ("reviewed", "expires")
PROVENANCE = ("url", "published", "owner", "version", *DATES)

_COLLECTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,126}[A-Za-z0-9]")
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]|\r\n?")
_EVIDENCE = re.compile(r"repository:([^/#]+)/([^/#]+)#(\d+)")


@dataclass(frozen=True, slots=True)
class Document:
    """A text with what is known of it; dates are ISO 8601."""

    id: str
    text: str
    title: str = ""
    url: str | None = None
    published: str | None = None
    owner: str | None = None
    version: str | None = None
    reviewed: str | None = None
    expires: str | None = None

    @property
    def key(self) -> str:
        """The id as it stands in ids of passages and evidence: percent-encoded, so that ``/`` and ``#`` are free."""
        return quote(self.id, safe="", errors="surrogateescape")

    def digest(self, certified: bool) -> str:
        """A hash of everything that a passage of this document holds: equal ones need no indexing."""
        content = json.dumps([asdict(self), certified], sort_keys=True, ensure_ascii=True)
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class PassageId:
    """Which passage of which document of which collection; ``key`` is the document's, percent-encoded."""

    collection: str
    key: str
    number: int

    def __str__(self) -> str:
        """The evidence id."""
        return f"repository:{self.collection}/{self.key}#{self.number}"

    @property
    def entry(self) -> str:
        """The id of its entry in the collection."""
        return f"{self.key}#{self.number}"

    @classmethod
    def parse(cls, evidence_id: str) -> PassageId:
        """Read an evidence id; raise InputError where it is none of the repository's."""
        match = _EVIDENCE.fullmatch(evidence_id)
        if match is None:
            raise InputError(f"{evidence_id!r} is no repository:<collection>/<document>#<passage>")
        return cls(match[1], match[2], int(match[3]))


def readable_id(key: str) -> str:
    """A document's id from its percent-encoded form."""
    return unquote(key, errors="replace")


def check_collection_name(name: str) -> str:
    """The name, if Chroma and the file system can both take it; raise InputError otherwise."""
    if not _COLLECTION.fullmatch(name) or ".." in name:
        raise InputError(
            f"{name!r} cannot name a collection: use 3 to 128 letters, digits, dots, hyphens or underscores of ASCII, "
            "a letter or digit first and last, no two dots in a row"
        )
    return name


def clean(text: str) -> str:
    """The text with line ends as newlines; control characters and lone surrogates, which no store takes, are blanks."""
    if not _UNREADABLE.search(text):
        return text
    return _UNREADABLE.sub(lambda m: "\n" if m.group().startswith("\r") else " ", text)


def provenance(fields: Mapping[str, object]) -> tuple[dict[str, str], list[str]]:
    """What fields say of a text's origin, and what is wrong with them; a date that is none is left out."""
    known: dict[str, str] = {}
    faults: list[str] = []
    for name in PROVENANCE:
        value = fields.get(name)
        if value is None or isinstance(value, (dict, list)) or not str(value).strip():
            continue
        text = clean(str(value)).strip()
        if name not in DATES:
            known[name] = text
        elif (date := _iso_date(text)) is not None:
            known[name] = date
        else:
            faults.append(f"{name} {text[:40]!r} is no date such as 2027-01-31 and is left out")
    return known, faults


def split_text(blocks: Iterable[str], most: int) -> Iterator[str]:
    """Join blocks of a text and cut it again into parts of at most ``most`` characters, at a blank line if possible."""
    rest = ""
    for block in blocks:
        rest += block
        while len(rest) > most:
            cut = _break_before(rest, most)
            yield rest[:cut]
            rest = rest[cut:]
    if rest.strip():
        yield rest


def _break_before(text: str, most: int) -> int:
    for mark in ("\n\n", "\n", ". ", " "):
        cut = text.rfind(mark, most // 2, most)
        if cut > 0:
            return cut + len(mark)
    return most


def _iso_date(text: str) -> str | None:
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        return None
