"""Reading RTF: its text."""

from __future__ import annotations

from pathlib import Path

from striprtf.striprtf import rtf_to_text

from tools.repository.content import Content, Note, Unreadable
from tools.repository.documents import clean

_DAMAGE = (ValueError, TypeError, IndexError, KeyError, LookupError, OverflowError)


def read_rtf(path: Path, note: Note) -> Content:
    """Read a rich text: its paragraphs, a blank line after each."""
    raw = path.read_bytes()
    if not raw.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("is no RTF that can be read (it does not begin with {\\rtf)")
    try:
        text = rtf_to_text(raw.decode("latin-1"), errors="replace")
    except _DAMAGE as error:
        raise Unreadable(f"is no RTF that can be read ({error})") from error
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # it leaves halves of characters
    return Content((clean("\n\n".join(line for line in whole.splitlines() if line.strip())).strip(),), path.stem)
