"""What is scored: an answer, what it should have been and what it was given."""

from __future__ import annotations

from typing import NamedTuple


class Cited(NamedTuple):
    """A statement of an answer, and the texts that it cites."""

    text: str
    passages: tuple[str, ...] = ()


class Scored(NamedTuple):
    """One question with its answer; what is None was not there."""

    id: str
    question: str
    answer: str | None
    reference: str | tuple[str, ...] | None
    """What a good answer says; one of several will do."""
    context: str | None
    """What the answer was to be drawn from."""
    language: str = "en"
    """ISO 639-1."""
    choice: str | None = None
    """The option, or yes, no, maybe, that the answer decides for; None where it withholds."""
    gold: str | None = None
    """The right option."""
    risk: float | None = None
    """The chance of being wrong that stands beside the answer."""
    knowledge: str | None = None
    """Facts that the answer was given besides the context."""
    history: str | None = None
    """The dialogue before the question."""
    passages: tuple[str, ...] | None = None
    """The context in parts, best first; None where it is one."""
    statements: tuple[Cited, ...] | None = None
    """The answer's statements with their citations; None where it is not known what it cites."""

    @property
    def references(self) -> tuple[str, ...]:
        """All references."""
        if self.reference is None:
            return ()
        return (self.reference,) if isinstance(self.reference, str) else self.reference
