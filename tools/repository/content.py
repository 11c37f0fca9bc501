"""What a reader of one file format hands to the loader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

Note = Callable[[str], None]
"""Called with what is wrong with a file that can nevertheless be read."""


class Unreadable(Exception):
    """A file holds no text that can be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file's text in blocks, whose concatenation it is, and what the file says of itself."""

    blocks: Iterable[str]
    title: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
