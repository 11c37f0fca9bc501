"""Reading plain text and Markdown."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

READ_BYTES = 1 << 20
MOST_UNREADABLE = 0.3
"""Of a text's characters: in Latin-1 one of ten or twenty is no UTF-8."""

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"([A-Za-z_]+)[ \t]*:[ \t]*(.+)")
_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path, note: Note) -> Content:
    """Read a plain text, block by block; its title is its file's name without suffix."""
    return Content(decoded_blocks(path, note), path.stem)


def read_markdown(path: Path, note: Note) -> Content:
    """Read Markdown as it stands; front matter between ``---`` gives fields, the first ``#`` heading the title."""
    blocks = decoded_blocks(path, note)
    first = next(blocks, "")
    front = _FRONT_MATTER.match(first)
    fields = {m[1].lower(): m[2].strip().strip("\"'") for m in _FIELD.finditer(front[1])} if front else {}
    body = first[front.end() :] if front else first
    heading = _HEADING.search(body)
    title = fields.get("title") or (_without_closing(heading[1]) if heading else path.stem)
    return Content(chain((body,), blocks), title, fields)


def _without_closing(heading: str) -> str:
    """A heading without the marks that may stand at its end too."""
    bare = heading.rstrip()
    unmarked = bare.rstrip("#")
    return unmarked.rstrip() if unmarked[-1:] in (" ", "\t") else bare


def decoded_blocks(path: Path, note: Note) -> Iterator[str]:
    """Decode a file block by block: UTF-8, or UTF-16 with its mark; what is neither is replaced and noted once."""
    with path.open("rb") as file:
        encoding = "utf-16" if file.read(2) in _UTF16 else "utf-8-sig"
        file.seek(0)
        decoder = codecs.getincrementaldecoder(encoding)()
        rest = ""
        first = True
        while True:
            raw = file.read(READ_BYTES)
            if first and _is_binary(raw, encoding):
                raise Unreadable("is no text: save it as UTF-8, or leave it out")
            first = False
            text = rest + _decoded(decoder, raw, note)
            # A line end of two characters may stand across two blocks.
            rest = "\r" if raw and text.endswith("\r") else ""
            yield clean(text[: len(text) - len(rest)])
            if not raw:
                return


def _is_binary(raw: bytes, encoding: str) -> bool:
    """Whether text could not have these bytes: zeros in a row, or more that are unreadable than a few."""
    text = raw.decode(encoding, "replace")
    return "\0\0" in text or text.count("\ufffd") + text.count("\0") > MOST_UNREADABLE * len(text)


def _decoded(decoder: codecs.IncrementalDecoder, raw: bytes, note: Note) -> str:
    try:
        return decoder.decode(raw, final=not raw)
    except UnicodeDecodeError as error:
        decoder.errors = "replace"
        note(f"is not UTF-8 ({error.reason}): unreadable bytes are replaced by \ufffd; save it as UTF-8")
        return decoder.decode(raw, final=not raw)
