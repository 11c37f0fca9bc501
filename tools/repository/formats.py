"""The formats that are read, by the suffixes of files, and who reads each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.repository.content import Content, Note

Reader = Callable[[Path, Note], Content]

JSONL = frozenset({".jsonl", ".ndjson"})
"""Read line by line, as documents of their own (``tools.repository.jsonl``)."""
MARKDOWN = frozenset({".md", ".markdown"})
TEXT = frozenset({".txt", ".text"})
HTML = frozenset({".html", ".htm", ".xhtml"})
PDF, EPUB, RTF = frozenset({".pdf"}), frozenset({".epub"}), frozenset({".rtf"})
OFFICE = frozenset({".docx", ".pptx", ".csv"})
SUFFIXES = JSONL | MARKDOWN | TEXT | HTML | PDF | EPUB | RTF | OFFICE


def reader_of(suffix: str, max_pdf_pages: int) -> Reader:
    """Who reads whole files of a suffix; each parser is imported by the first file that needs it: some are slow to."""
    if suffix in HTML:
        from tools.repository.html import read_html

        return read_html
    if suffix in PDF:
        from tools.repository.pdf import read_pdf

        return lambda path, note: read_pdf(path, note, max_pdf_pages)
    if suffix in OFFICE:
        from tools.repository import office

        return {".docx": office.read_docx, ".pptx": office.read_pptx, ".csv": office.read_csv}[suffix]
    if suffix in EPUB:
        from tools.repository.epub import read_epub

        return read_epub
    if suffix in RTF:
        from tools.repository.rtf import read_rtf

        return read_rtf
    from tools.repository.plain import read_markdown, read_text

    return read_markdown if suffix in MARKDOWN else read_text
