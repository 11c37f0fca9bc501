"""Files that are ZIP archives of XML: opened, and read within bounds."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lxml import etree  # type: ignore[import-untyped]  # lxml ships no types

from tools.repository.content import Unreadable

MAX_UNPACKED = 500_000_000
"""Bytes of an archive's members together: a small file can unpack into anything."""
CORE = "docProps/core.xml"
"""Where Microsoft's formats keep a document's title."""
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


@contextmanager
def opened(path: Path, kind: str) -> Iterator[zipfile.ZipFile]:
    """The archive; Unreadable where it is none, is encrypted, lacks what its kind has, or is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if any(member.flag_bits & 1 for member in members):
                raise Unreadable("is encrypted: save a copy without its password and index that")
            if sum(member.file_size for member in members) > MAX_UNPACKED:
                raise Unreadable(f"unpacks to more than {MAX_UNPACKED / 1e6:,.0f} MB: split it")
            yield archive
    except (zipfile.BadZipFile, etree.LxmlError, KeyError, NotImplementedError, EOFError, ValueError) as error:
        raise Unreadable(f"is no {kind} that can be read ({error})") from error


def xml(archive: zipfile.ZipFile, name: str) -> Any:
    """The root of a member; what it declares is not resolved, and nothing is fetched for it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(archive.read(name), parser)


def title_in(root: Any) -> str:
    """The Dublin Core title anywhere below an element; empty where there is none."""
    return " ".join((root.findtext(f".//{_TITLE}") or "").split())


def core_title(archive: zipfile.ZipFile) -> str:
    """The title of a document of Microsoft's formats; empty where it has none."""
    return title_in(xml(archive, CORE)) if CORE in archive.namelist() else ""
