"""The citation marks in a model's answer: taken out of the text, and given to the statements that they stand by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chains.claims import MARK, cited_in
from core.schema import Claim
from core.text import sentences


class Mark(NamedTuple):
    """Where a mark stood, as a place in the text without marks, and the ids that it cites."""

    place: int
    cited: tuple[str, ...]


def without_marks(text: str, citations: Sequence[str] = ()) -> tuple[str, tuple[Mark, ...]]:
    """The text without its marks, and the marks; ``[1]`` stands for the first of ``citations``."""
    clean, marks, last = "", list[Mark](), 0
    for found in MARK.finditer(text):
        clean += text[last : found.start()]
        marks.append(Mark(len(clean), cited_in(found.group(), citations)))
        last = found.end()
    whole = clean + text[last:]
    lead = len(whole) - len(whole.lstrip())
    return whole.strip(), tuple(Mark(max(0, mark.place - lead), mark.cited) for mark in marks)


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
