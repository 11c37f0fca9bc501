"""MedlinePlus's health topics, https://medlineplus.gov/xml.html: summaries, most of them divided by questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tools.library.making.blocks import Count, blocks, passages
from tools.library.shipped import Document, Passage

LONGEST_HEADING = 160

_AGENCY = (
    r"(?:NIH: |National (?:Institutes? |Park Service|Cancer Institute|Library of)|Centers? for |Dep(?:t\.|artment of) |"
    r"Office (?:of|on) |Food and Drug Administration|Environmental Protection Agency|Federal |Agency for |"
    r"United States Dep|U\.S\. Dep|Health Resources and Services|Substance Abuse and Mental Health|Administration |"
    r"Consumer Product Safety|Bureau of |Social Security Administration|Occupational Safety)"
)
_AUTHOR = re.compile(rf"^{_AGENCY}[^.!?:]*(?:Dept\.[^.!?:]*)?$")
_AUTHOR_AT_END = re.compile(r"\s+NIH: (?:National )[A-Z][A-Za-z,' -]*$")
_GLUED = re.compile(r"(?<=[a-z)]\?)(?=[A-Z][a-z])")


def documents(topics: Iterator[Mapping[str, str]], count: Count) -> Iterator[Document]:
    """Each topic as a document; one without a text is left out."""
    for topic in topics:
        found = tuple(
            Passage(f"{topic['title']}: {heading}" if heading else topic["title"], text)
            for heading, lines in _sections(without_author(_GLUED.sub("\n", topic["text"]).split("\n")))
            for text in passages(blocks(lines), count)
        )
        if found:
            yield Document(topic["id"], topic["title"], topic["url"], "", found)


def without_author(lines: Sequence[str]) -> list[str]:
    """The lines without the names of agencies, those who wrote them, at their end."""
    kept = [line.strip() for line in lines]
    while kept and (not kept[-1] or _is_author(kept[-1])):
        kept.pop()
    return kept


def without_author_at_end(text: str) -> str:
    """A text in one line without the name of the institute at its end."""
    return _AUTHOR_AT_END.sub("", text)


def _is_author(line: str) -> bool:
    return line == "Diseases" or _AUTHOR.match(line.removeprefix("NIH: ")) is not None or line.startswith("NIH: ")


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Headings, "" before the first, with the lines below them."""
    heading, below = "", list[str]()
    for line in lines:
        if line.endswith("?") and len(line) <= LONGEST_HEADING and not _asks_reader(below):
            if any(below):
                yield heading, below
            heading, below = line, []
        else:
            below.append(line)
    if any(below):
        yield heading, below


def _asks_reader(below: Sequence[str]) -> bool:
    """Whether a question here is an item of a list: what stands above is its introduction, or another item."""
    printed = [line for line in below if line]
    return bool(printed) and printed[-1].endswith((":", "?"))
