"""Reading PDF: the text layer of its pages."""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

# A damaged file surfaces in pypdf as any of these, depending on which object is damaged.
_DAMAGE = (
    PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError, NotImplementedError,
    RecursionError, OverflowError, zlib.error,
)  # fmt: skip
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it logs of a damaged file is told by the note
_HYPHENATED = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_WRAPPED = re.compile(r"[^\S\n]*(?<!\n)\n(?!\s*(?:\n|[-•*]\s|\d+[.)]\s))")


def read_pdf(path: Path, note: Note, max_pages: int) -> Content:
    """Read a PDF's pages, paragraphs unwrapped; raise Unreadable if it is encrypted, damaged, too long or scanned."""
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("is encrypted: save a copy without its password and index that")
        count = len(reader.pages)
    except _DAMAGE as error:
        raise Unreadable(f"is no PDF that can be read ({error})") from error
    if count > max_pages:
        raise Unreadable(f"has {count:,} pages, the limit is {max_pages:,}: raise MEDATTEST_MAX_PDF_PAGES or split it")
    pages = list(_pages(reader, count, note))
    if not any(page.strip() for page in pages):
        raise Unreadable("holds no text, perhaps only scanned pages: run OCR (such as ocrmypdf) and index the result")
    return Content((page + "\n\n" for page in pages), _title(reader) or path.stem)


def _pages(reader: PdfReader, count: int, note: Note) -> Iterator[str]:
    damaged: list[int] = []
    for number in range(count):
        try:
            yield _unwrapped(clean(reader.pages[number].extract_text()))
        except _DAMAGE:
            damaged.append(number + 1)
    if damaged:
        note(
            f"pages that cannot be read are left out: {', '.join(map(str, damaged[:20]))}{', …' * (len(damaged) > 20)}"
        )


def _unwrapped(page: str) -> str:
    """Lines of a paragraph joined: they end where the paper did, not where the sentence does."""
    return _WRAPPED.sub(" ", _HYPHENATED.sub("", page)).strip()


def _title(reader: PdfReader) -> str:
    try:
        return clean(str(reader.metadata.title or "")).strip() if reader.metadata else ""
    except _DAMAGE:
        return ""
