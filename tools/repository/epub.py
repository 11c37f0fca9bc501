"""Reading EPUB: the pages of its spine, each as HTML."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tools.repository.archives import opened, title_in, xml
from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean
from tools.repository.html import parsed

_CONTAINER = "META-INF/container.xml"


def read_epub(path: Path, note: Note) -> Content:
    """Read a book in the order of its spine; what is protected or no page is left out and noted."""
    with opened(path, "EPUB") as archive:
        root = next((e.get("full-path") for e in xml(archive, _CONTAINER).iter("{*}rootfile")), None)
        if root is None:
            raise Unreadable("is no EPUB that can be read (it names no book)")
        package = xml(archive, root)
        pages = list(_pages(archive, package, posixpath.dirname(root), note))
        return Content(pages, clean(title_in(package)) or path.stem)


def _pages(archive: zipfile.ZipFile, package: Any, folder: str, note: Note) -> Iterator[str]:
    places = {item.get("id"): item.get("href", "") for item in package.iter("{*}item")}
    members = set(archive.namelist())
    for entry in package.iter("{*}itemref"):
        name = posixpath.normpath(posixpath.join(folder, unquote(places.get(entry.get("idref"), ""))))
        if name in members:
            yield parsed(archive.read(name)).text() + "\n\n"
        else:
            note(f"has no page {name[:80]!r}: it is left out")
