"""The citation marks in a model's answer: taken out of the text, and given to the statements that they stand by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chains.claims import MARK, cited_in
from core.language import sentences
from core.schema import Claim

_BRACKET = re.compile(r"\[[^\[\]]+\]")


class Mark(NamedTuple):
    """Where a mark stood, as a place in the text without marks, and the ids that it cites."""

    place: int
    cited: tuple[str, ...]


def without_marks(text: str, citations: Sequence[str] = (), shown: Sequence[str] = ()) -> tuple[str, tuple[Mark, ...]]:
    """The text without its marks, and the marks; ``[1]`` stands for the first of ``citations``.

    An id of ``shown`` is read as it stands: it may hold blanks and commas, which end any other.
    """
    text, citations = _numbered(text, shown, len(citations)), (*citations, *shown)
    clean, marks, last = "", list[Mark](), 0
    for found in MARK.finditer(text):
        clean += text[last : found.start()]
        marks.append(Mark(len(clean), cited_in(found.group(), citations)))
        last = found.end()
    whole = clean + text[last:]
    lead = len(whole) - len(whole.lstrip())
    return whole.strip(), tuple(Mark(max(0, mark.place - lead), mark.cited) for mark in marks)


def _numbered(text: str, shown: Sequence[str], before: int) -> str:
    """The text whose marks have numbers, counted on from ``before``, for the ids that were shown."""
    if not shown:
        return text
    numbers = {id_: str(n) for n, id_ in enumerate(shown, start=before + 1)}
    longest_first = "|".join(re.escape(id_) for id_ in sorted(numbers, key=len, reverse=True))
    whole = re.compile(rf"(?<=[\[,;\s])(?:{longest_first})(?=\s*[,;\]])")

    def number(bracket: re.Match[str]) -> str:
        numbered = whole.sub(lambda id_: numbers[id_.group()], bracket.group())
        return numbered if MARK.fullmatch(numbered) else bracket.group()

    return _BRACKET.sub(number, text)


def with_marks(claims: Sequence[Claim], text: str, marks: Sequence[Mark]) -> tuple[Claim, ...]:
    """The claims of a text, each citing what its sentence's marks cite; a mark after a full stop belongs to it."""
    spans = [(span.start, span.end) for span in sentences(text)]
    cited = {
        span: tuple(dict.fromkeys(i for mark in marks if span[0] < mark.place <= span[1] for i in mark.cited))
        for span in spans
    }

    def of(claim: Claim) -> tuple[str, ...]:
        return next((ids for (start, end), ids in cited.items() if start <= claim.span[0] < end), ())

    return tuple(claim.model_copy(update={"cited": of(claim)}) for claim in claims)
