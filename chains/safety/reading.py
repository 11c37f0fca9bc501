"""A text as the alarms see it: sentences in lower case that know whether they speak of somebody, here and now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from chains.safety.cues import context
from core.language import sentences

_CASE_REPORT = re.compile(
    r"\b(?:an?|the|\w+) (?:(?:[\w-]+ ){0,3}[\w-]+[- ](?:year|month|week|day|kg)s?(?:[- ]old)?\b|patients?\b|newborn\b)"
    r"(?=.*\b(?:presents?|presented|present|comes|came|is brought|was brought|is admitted|was admitted|is evaluated|"
    r"undergoes|underwent|is referred|complains of|diagnosed|which of the following|most likely)\b)",
    re.DOTALL,
)
_FIRST_PERSON = re.compile(r"\b(?:i|im|ive|my|me|we|our|us)\b")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Sentence:
    """A sentence, or two neighbouring ones, in lower case and without apostrophes.

    ``about_someone`` says whether its whole text speaks of somebody in particular.
    """

    text: str
    about_someone: bool

    @cached_property
    def now(self) -> bool:
        """Whether it tells of what happens now."""
        return context().now.search(self.text) is not None

    @cached_property
    def personal(self) -> bool:
        """Whether it can be about somebody in particular."""
        return self.about_someone or self.now

    @cached_property
    def remote(self) -> bool:
        """Whether it tells of what is long past, studied, or only imagined."""
        about = context()
        return not self.now and any(p.search(self.text) for p in (about.past, about.study, about.might))

    def only_names(self, start: int) -> bool:
        """Whether the words that begin there are denied, or named as what they are: "no chest pain", "signs of"."""
        before = self.text[:start]
        return any(pattern.search(before) for pattern in (context().denied, context().named))

    def with_next(self, other: Sentence) -> Sentence:
        """Both as one, the second left out where it is about something remote."""
        return self if other.remote else Sentence(f"{self.text} {other.text}", self.about_someone)


def printed(text: str) -> list[str]:
    """The sentences of a text as they stand in it; a line's end ends one."""
    return [span.text for line in text.replace("\u2019", "'").split("\n") for span in sentences(line)]


def read(text: str) -> list[Sentence]:
    """What ``printed`` finds, to be searched; nothing where it is the case report of an examination or a paper."""
    said = [_SPACE.sub(" ", sentence.lower().replace("'", "")) for sentence in printed(text)]
    whole = "\n".join(said)
    if _CASE_REPORT.search(whole) and not _FIRST_PERSON.search(whole):
        return []
    about_someone = context().person.search(whole) is not None
    return [Sentence(sentence, about_someone) for sentence in said]
