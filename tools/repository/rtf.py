"""Reading RTF: its text, by the rules of Microsoft's specification 1.9.1 for readers that know few control words."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z'])"
    rb"|(?P<open>\{)|(?P<close>\})|[\r\n]+|(?P<text>[^\\{}\r\n]+)|\\"
)
_BREAKS = {"par": "\n\n", "sect": "\n\n", "page": "\n\n", "line": "\n", "row": "\n", "tab": "\t", "cell": "\t"}
_SIGNS = {"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"}
_NO_TEXT = frozenset(
    "fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf "
    "listtable listoverridetable revtbl fldinst themedata datastore xmlnstbl".split()
)
"""Destinations that hold no text of the document."""


class _Group(NamedTuple):
    """What holds between two braces: whether text is skipped, and how many characters stand in for a Unicode one."""

    skipped: bool = False
    instead: int = 1


def read_rtf(path: Path, note: Note) -> Content:
    """Read a rich text: its paragraphs, a blank line after each."""
    raw = path.read_bytes()
    if not raw.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("is no RTF that can be read (it does not begin with {\\rtf)")
    text = "".join(_texts(raw)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return Content((clean(text).strip(),), path.stem)


def _texts(raw: bytes) -> Iterator[str]:
    page = "cp1252"
    group, outer, starting, owed = _Group(), [], False, 0
    for token in _TOKEN.finditer(raw):
        if token["open"]:
            outer.append(group)
            starting = True
            continue
        if token["close"]:
            group = outer.pop() if outer else _Group()
            continue
        word = (token["word"] or b"").decode("ascii")
        if (starting and word in _NO_TEXT) or token["sign"] == b"*":
            group = group._replace(skipped=True)
        starting = False
        if word == "ansicpg":
            page = _known(f"cp{int(token['number'] or 1252)}")
        elif word == "uc":
            group = group._replace(instead=int(token["number"] or 1))
        elif group.skipped or word == "bin":
            continue
        elif word == "u":
            yield chr(int(token["number"] or 0) % 0x10000)  # a unit of UTF-16, written signed
            owed = group.instead
        elif word:
            yield _BREAKS.get(word) or _SIGNS.get(word) or ""
        else:
            told = _told(token, page)
            owed, shown = max(0, owed - len(told)), told[owed:]
            yield shown


def _told(token: re.Match[bytes], page: str) -> str:
    """The characters that a token stands for by itself."""
    if token["hex"]:
        return bytes.fromhex(token["hex"].decode()).decode(page, "replace")
    if token["sign"]:
        return {b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n\n", b"\r": "\n\n"}.get(
            token["sign"], ""
        )
    return (token["text"] or b"").decode(page, "replace")


def _known(page: str) -> str:
    try:
        return codecs.lookup(page).name
    except LookupError:
        return "cp1252"
