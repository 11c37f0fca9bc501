"""Reading Word, PowerPoint and CSV: langchain-community's loaders where they work with what is installed.

Its loader of .pptx needs the package unstructured, which needs much more; slides are read here.
"""

from __future__ import annotations

import csv
import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from tools.repository.archives import core_title, opened, xml
from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_BY_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_NOTES = "/notesSlide"
_DELIMITERS = ",;\t|"
_SNIFFED_CHARS = 8_000


def read_docx(path: Path, note: Note) -> Content:
    """Read a Word document: its paragraphs, a blank line after each."""
    from langchain_community.document_loaders import Docx2txtLoader

    with opened(path, "Word document") as archive:
        title = core_title(archive)
        try:
            (document,) = Docx2txtLoader(path).load()
        except ParseError as error:
            raise Unreadable(f"is no Word document that can be read ({error})") from error
    return Content((clean(document.page_content),), clean(title) or path.stem)


def read_csv(path: Path, note: Note) -> Content:
    """Read a table: every row as lines of ``column: value``, a blank line after each; commas or what else divides."""
    from langchain_community.document_loaders import CSVLoader

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            dialect: dict[str, Any] = {"delimiter": _delimiter(file.read(_SNIFFED_CHARS))}
        rows = [row.page_content for row in CSVLoader(path, encoding="utf-8-sig", csv_args=dialect).lazy_load()]
    except (UnicodeDecodeError, RuntimeError) as error:  # the loader wraps whatever fails
        raise Unreadable(f"is no table in UTF-8 that can be read ({error.__cause__ or error})") from error
    return Content((clean(row) + "\n\n" for row in rows), path.stem)


def read_pptx(path: Path, note: Note) -> Content:
    """Read a presentation: the text of its slides and of the speaker's notes, in their order."""
    with opened(path, "PowerPoint presentation") as archive:
        shown = _related(archive, "ppt/presentation.xml")
        order = [entry.get(_BY_ID) for entry in xml(archive, "ppt/presentation.xml").iter(f"{_SLIDES}sldId")]
        blocks = ["\n".join(_paragraphs(archive, shown[key][1])) + "\n\n" for key in order if key in shown]
        return Content([clean(block) for block in blocks], clean(core_title(archive)) or path.stem)


def _delimiter(start: str) -> str:
    try:
        return csv.Sniffer().sniff(start, _DELIMITERS).delimiter
    except csv.Error:
        return ","


def _paragraphs(archive: zipfile.ZipFile, slide: str) -> Iterator[str]:
    notes = [target for kind, target in _related(archive, slide).values() if kind.endswith(_NOTES)]
    for part in (slide, *notes):
        for paragraph in xml(archive, part).iter(f"{_DRAWING}p"):
            # numbers and dates that a template puts on every slide are fields (a:fld), not runs
            runs = (run.findtext(f"{_DRAWING}t") or "" for run in paragraph.findall(f"{_DRAWING}r"))
            if text := "".join(runs).strip():
                yield text


def _related(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """What a part refers to, by id: the kind of relation, and the member's name."""
    folder, name = posixpath.split(part)
    listed = f"{folder}/_rels/{name}.rels"
    if listed not in archive.namelist():
        return {}
    return {
        entry.get("Id", ""): (entry.get("Type", ""), _member(folder, entry.get("Target", "")))
        for entry in xml(archive, listed)
        if entry.get("TargetMode") != "External"
    }


def _member(folder: str, target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
