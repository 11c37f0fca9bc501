"""What the text of an answer says to a question, read by itself: that it answers, decides, and names what is asked for.

A yes/no question is answered by what decides it. A question of how long, how often or how many is answered by nothing
that names no time and no number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from chains.relevance.windows import Read
from chains.verify.finding import Learned
from core.odds import log_odds

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Unit vectors of texts, texts × dimensions."""

_UNSURE = 0.01
"""A reader's probabilities nearer to 0 or 1 tell no more."""
_SPAN = re.compile(
    r"\bhow (?:long|soon|quickly|fast|often|frequently)\b|\bhow many (?:times|hours|days|weeks|months)\b"
)
_COUNT = re.compile(r"\bhow (?:many|much)\b|\bnormal (?:\w+ ){0,3}(?:range|levels?|values?|rate|count|pressure)\b")
_TIMES = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|daily|nightly|weekly|monthly|yearly|annually|"
    r"hourly|overnight|once|twice|times|every|life-?long|lifetime|for life|forever|permanent(?:ly)?|"
    r"(?:short|long)[- ](?:term|lived|lasting)|chronic)\b"
)
_NUMBERS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|third|"
    r"quarter|hundreds?|thousands?|millions?|most|many|few|several|rare|common)\b"
)


class Asked(Protocol):
    """What is needed of a question."""

    @property
    def text(self) -> str:
        """The question as understood."""
        ...

    @property
    def task(self) -> str:
        """``yesno`` of one that is answered by yes or no."""
        ...


class Said(NamedTuple):
    """What the text of an answer says to a question."""

    reads: float
    """That it answers, in log-odds, as the reader of answers finds."""
    near: float
    """How near the two are in meaning, a cosine."""
    decided: float = 0.0
    """Of a yes/no question: that the text says yes or says no, in log-odds, as the reader of claims finds; else 0."""
    yesno: float = 0.0
    """1 of a yes/no question, else 0."""
    unnamed: float = 0.0
    """1 where a length of time or a number is asked for and the text has none, else 0."""


NOTHING_SAID = Said(reads=-10.0, near=0.0, unnamed=1.0)


class Teller(NamedTuple):
    """What reads answers: the embedder, and the two readers where they are there."""

    encode: Encode
    read: Read | None = None
    learned: Learned | None = None

    def said_to(self, questions: Sequence[Asked], text: str, unread: float) -> list[Said]:
        """What an answer says to each question: of several, by the paragraph that says most.

        ``unread`` stands for what the reader of answers would find, where it is not there.
        """
        told = [part for part in text.split("\n\n") if part.strip()]
        parts = told if len(questions) > 1 else [text] if told else []
        if not parts:
            return [NOTHING_SAID] * len(questions)
        near = self.encode([question.text for question in questions]) @ self.encode(parts).T
        pairs = [(question.text, part) for question in questions for part in parts]
        outputs = self.read(pairs)[:, 0] if self.read is not None else [unread] * len(pairs)
        reads = np.reshape(np.asarray(outputs, np.float64), (len(questions), len(parts)))
        return [
            Said(
                float(of.max()),
                float(close.max()),
                *self._decided(question, parts),
                float(all(leaves_unnamed(question.text, part) for part in parts)),
            )
            for question, of, close in zip(questions, reads, near, strict=True)
        ]

    def _decided(self, question: Asked, parts: Sequence[str]) -> tuple[float, float]:
        if question.task != "yesno" or self.learned is None:
            return 0.0, 0.0
        asked = question.text if question.text.endswith("?") else f"{question.text}?"
        best = max(max(found) for found in self.learned([(asked, part, "") for part in parts]))
        return log_odds(min(1 - _UNSURE, max(_UNSURE, best))), 1.0


def leaves_unnamed(question: str, text: str) -> bool:
    """Whether a question asks for a length of time or a number, and the text has none."""
    asked, told = question.lower(), text.lower()
    if _SPAN.search(asked):
        return not _TIMES.search(told)
    return bool(_COUNT.search(asked)) and not _NUMBERS.search(told)
