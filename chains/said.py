"""What the text of an answer says to a question, read by itself: that it answers, and names what is asked for.

A question of how long, how often or how many is answered by nothing that names no time and no number; whether one can
die of it, by nothing that speaks of death (of 89 graded answers to such questions those that do had 0.88 of what can
be had, the others 0.45), and so on. (That a text decides a yes/no question, as the reader of claims finds, told no more
than the rest on 792 questions.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chains.relevance.windows import Read
from core.embeddings import Encode

_TIMES = (
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|daily|nightly|weekly|monthly|yearly|annually|"
    r"hourly|overnight|once|twice|times|every|life-?long|lifetime|for life|forever|permanent(?:ly)?|"
    r"(?:short|long)[- ](?:term|lived|lasting)|chronic)\b"
)
_NUMBERS = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|third|"
    r"quarter|hundreds?|thousands?|millions?|most|many|few|several|rare|common)\b"
)
_DEATH = (
    r"\b(?:die[sd]?|dying|deaths?|deadly|fatal\w*|kill\w*|life[- ]threatening|mortality|surviv\w+|life expectancy|"
    r"lifespan|live longer|normal li(?:fe|ves)|suicid\w+)\b"
)
_PREVENTION = (
    r"\b(?:prevent\w*|avoid\w*|(?:lower|reduc|decreas)\w* (?:\w+ ){0,4}(?:risk|chance)|protect\w*|vaccin\w*|"
    r"immuniz\w*|shots?|less likely|keep\w* from|no (?:known )?way)\b"
)
_ENDING = (
    r"\b(?:cur(?:e[sd]?|able|ing)|go(?:es)? away|disappear\w*|heal\w*|recover\w*|resolv\w*|life-?long|"
    r"long[- ]term|chronic|better|treat\w*|permanent\w*|remov\w*|clears? up|no longer|last(?:s|ing)?|revers\w*|"
    r"return\w*|remission)\b"
)
_HELP = r"\b(?:doctors?|providers?|hospital|emergency|medical|911|call|professional|urgent|clinic)\b"
_NAMED = tuple(
    (re.compile(asked), re.compile(told))
    for asked, told in (
        (
            r"\bhow (?:long|soon|quickly|fast|often|frequently)\b|\bhow many (?:times|hours|days|weeks|months)\b",
            _TIMES,
        ),
        (
            r"\bhow (?:many|much)\b|\bnormal (?:\w+ ){0,3}(?:range|levels?|values?|rate|count|pressure)\b",
            _NUMBERS,
        ),
        (r"\b(?:die|dying|deadly|fatal|kills?|killed|death|life[- ]threatening|life expectancy)\b", _DEATH),
        (r"\bprevent\w*\b|\bavoid getting\b", _PREVENTION),
        (r"\b(?:cure[sd]?|curable|go(?:es)? away|reversible)\b", _ENDING),
        (r"\bwhen (?:should|do|to) .*\b(?:doctor|hospital|emergency)\b|\bneed (?:to (?:see|go)|a doctor)\b", _HELP),
    )
)
"""What a question asks for by name, and what of it an answer must name."""


class Said(NamedTuple):
    """What the text of an answer says to a question."""

    reads: float
    """That it answers, in log-odds, as the reader of answers finds."""
    near: float
    """How near the two are in meaning, a cosine."""
    unnamed: float = 0.0
    """1 where what is asked for by name, a length of time or whether one dies, is nowhere in the text, else 0."""
    side: float = 0.0
    """1 where the question is one side of a comparison: what is told of each may compare nothing."""


NOTHING_SAID = Said(reads=-10.0, near=0.0, unnamed=1.0)


def said_to(questions: Sequence[str], text: str, encode: Encode, read: Read | None, unread: float) -> list[Said]:
    """What an answer says to each question: of several, by the paragraph that says most.

    ``unread`` stands for what the reader of answers would find, where it is not there.
    """
    told = [part for part in text.split("\n\n") if part.strip()]
    parts = told if len(questions) > 1 else [text] if told else []
    if not parts:
        return [NOTHING_SAID] * len(questions)
    near = encode(questions) @ encode(parts).T
    pairs = [(question, part) for question in questions for part in parts]
    outputs = read(pairs)[:, 0] if read is not None else [unread] * len(pairs)
    reads = np.reshape(np.asarray(outputs, np.float64), (len(questions), len(parts)))
    return [
        Said(
            float(of.max()),
            float(close.max()),
            float(all(leaves_unnamed(question, part) for part in parts)),
        )
        for question, of, close in zip(questions, reads, near, strict=True)
    ]


def leaves_unnamed(question: str, text: str) -> bool:
    """Whether a question asks for what the text names nothing of: a time, a number, death, a cure, prevention, help."""
    asked, said = question.lower(), text.lower()
    return any(not told.search(said) for wanted, told in _NAMED if wanted.search(asked))
