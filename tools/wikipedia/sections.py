"""A page's plain text, taken apart at its headings and cut into passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.language import sentences

MAX_CHARS = 1200
"""Characters of a passage at most."""
MIN_CHARS = 40
"""Less is a caption or a remnant of a table, which plain text leaves out."""

_HEADING = re.compile(r"^(={2,6})[ \t]*(.+?)[ \t]*\1[ \t]*$", re.MULTILINE)
_NO_TEXT = frozenset(
    name.casefold()
    for name in (
        "References|Notes|Footnotes|Citations|Sources|Bibliography|Works cited|See also|External links|Further reading"
        "|Gallery|Notes and references|References and notes"
        "|Einzelnachweise|Anmerkungen|Literatur|Weblinks|Siehe auch|Quellen"
        "|Références|Notes et références|Voir aussi|Liens externes|Bibliographie|Articles connexes"
        "|Referencias|Véase también|Enlaces externos|Bibliografía|Notas"
        "|Note|Voci correlate|Altri progetti|Collegamenti esterni|Bibliografia"
        "|Przypisy|Zobacz też|Linki zewnętrzne|Uwagi|Referenties|Zie ook|Externe links|Literatuur"
        "|Referências|Ver também|Ligações externas"
    ).split("|")
)


class Section(NamedTuple):
    """A section with text of its own; ``path`` are its headings from the outermost, none for the lead."""

    path: tuple[str, ...]
    anchor: str
    text: str


def sections(extract: str) -> Iterator[Section]:
    """Sections in order, subsections by themselves; references, links and what is under them left out.

    Args:
        extract: what TextExtracts sends for ``exsectionformat=wiki``: headings stand between signs of equality.
    """
    headings = list(_HEADING.finditer(extract))
    path: list[tuple[int, str]] = []
    used: dict[str, int] = {}
    lead = extract[: headings[0].start()] if headings else extract
    if lead.strip():
        yield Section((), "", lead.strip())
    ends = [*(heading.start() for heading in headings[1:]), len(extract)]
    for heading, end in zip(headings, ends, strict=False):
        level, name = len(heading[1]), heading[2]
        path = [*((depth, outer) for depth, outer in path if depth < level), (level, name)]
        anchor = name.replace(" ", "_")
        used[anchor] = used.get(anchor, 0) + 1
        if used[anchor] > 1:
            anchor += f"_{used[anchor]}"  # as MediaWiki tells headings of the same name apart
        text = extract[heading.end() : end].strip()
        if text and not any(outer.casefold() in _NO_TEXT for _, outer in path):
            yield Section(tuple(outer for _, outer in path), anchor, text)


def passages(text: str) -> list[str]:
    """The text in pieces of at most ``MAX_CHARS``, cut at ends of sentences; at a blank where a sentence is longer."""
    pieces: list[str] = []
    start = end = 0
    for span in sentences(text):
        if end > start and span.end - start > MAX_CHARS:
            pieces.append(text[start:end])
            start = span.start
        end = span.end
        while end - start > MAX_CHARS:
            blank = text.rfind(" ", start, start + MAX_CHARS)
            cut = blank if blank > start else start + MAX_CHARS
            pieces.append(text[start:cut])
            start = cut
    pieces.append(text[start:end])
    stripped = [re.sub(r"\s*\n\s*", "\n", piece).strip() for piece in pieces]
    return [piece for piece in stripped if len(piece) >= MIN_CHARS]
