"""Reading plain text and Markdown."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tools.repository.content import Content, Note
from tools.repository.documents import clean

READ_BYTES = 1 << 20

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"([A-Za-z_]+)[ \t]*:[ \t]*(.+)")
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
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
    title = fields.get("title") or (heading[1] if heading else path.stem)
    return Content(chain((body,), blocks), title, fields)


def decoded_blocks(path: Path, note: Note) -> Iterator[str]:
    """Decode a file block by block: UTF-8, or UTF-16 with its mark; what is neither is replaced and noted once."""
    with path.open("rb") as file:
        encoding = "utf-16" if file.read(2) in _UTF16 else "utf-8-sig"
        file.seek(0)
        decoder = codecs.getincrementaldecoder(encoding)()
        rest = ""
        while True:
            raw = file.read(READ_BYTES)
            text = rest + _decoded(decoder, raw, note)
            # A line end of two characters may stand across two blocks.
            rest = "\r" if raw and text.endswith("\r") else ""
            yield clean(text[: len(text) - len(rest)])
            if not raw:
                return


def _decoded(decoder: codecs.IncrementalDecoder, raw: bytes, note: Note) -> str:
    try:
        return decoder.decode(raw, final=not raw)
    except UnicodeDecodeError as error:
        decoder.errors = "replace"
        note(f"is not UTF-8 ({error.reason}): unreadable bytes are replaced by \ufffd; save it as UTF-8")
        return decoder.decode(raw, final=not raw)
