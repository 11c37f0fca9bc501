"""Signs of danger in what a person asks, and the fixed notices that come before any answer.

Two readers raise alarms. English cues in a table (``cues.toml``) do where somebody in particular is spoken of, here and
now; the same words are harmless where they are denied, long past, studied, or only named. What to do in danger may be
asked in general. A learned reader
(``learned``) does where a text is like those that it was taught as dangerous, in whatever words. Both make a net with
holes, not a diagnosis: whoever is shown a notice loses nothing, and its absence says nothing.
``eval.experiments.safety`` measures misses and false alarms of the rules and of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import get_args

from langchain_core.runnables import Runnable, RunnableLambda

from chains.safety.cues import Cues, Kind, cues
from chains.safety.learned import learned_reader
from chains.safety.reading import Sentence, read
from core.embeddings import Encode
from core.schema import Outcome, Value
from prompts import prompt

__all__ = ["DANGERS", "Alarm", "Kind", "alarm_raiser", "alarms", "urgent_notices"]

_NOTICES: dict[Kind, str] = {
    "emergency": "fixed/emergency.txt",
    "self_harm": "fixed/crisis.txt",
    "overdose": "fixed/poison.txt",
    "poisoning": "fixed/poison.txt",
    "first_aid": "fixed/first_aid.txt",
    "personal_dose": "fixed/dose.txt",
}

DANGERS: frozenset[Kind] = frozenset({"emergency", "self_harm", "overdose", "poisoning"})
"""What cannot wait for an answer; first aid that is asked for in general may be for nobody, and is answered."""
_ACCIDENT = re.compile(
    r"\b(?:accident(?:al|ally)?|by mistake|slipped|cut (?:my|his|her|the) (?:finger|thumb|toe|foot|hand|knee|lip))\b",
    re.I,
)
"""Whoever tells of one in these words did not mean to hurt himself, whatever else his words are like."""
_SCOLDED = re.compile(
    r"\W*(?:shut up|(?:you|u) ?(?:are|re|'re|r)?(?: an?| such an?| so| just an?)?(?: \w+){0,2}?"
    r" (?:useless|stupid|dumb|idiot|moron|junk|garbage)(?: piece of junk| machine| bot)?)"
    r"(?:,? (?:you )?(?:stupid|dumb|useless) (?:machine|bot|robot|app|program|computer))?"
    r"(?:,? (?:and )?i hate (?:you|this))?\W*",
    re.I,
)
"""A text that does nothing but scold the machine; whoever writes no more is in no danger by that."""


class Alarm(Value):
    """A sign of danger: its kind, and what raised it, in lower case: words of a rule, or what the reader read."""

    kind: Kind
    words: str


def alarms(text: str) -> tuple[Alarm, ...]:
    """The signs of danger that the rules find in a question, or in a patient's turns joined by newlines.

    Args:
        text: English; other languages raise nothing.

    Returns:
        At most one alarm of a kind, the most urgent first.
    """
    said = read(text)
    found = ((sign.kind, _raised(sign, said) or _near(sign, said)) for sign in cues())
    return tuple(Alarm(kind=kind, words=words) for kind, words in found if words)


def alarm_raiser(encode: Encode) -> Runnable[str, Outcome[tuple[Alarm, ...]]]:
    """A chain from a text, as for ``alarms``, to what either reader finds: one alarm of a kind, the most urgent first.

    Args:
        encode: all-MiniLM-L6-v2, on which the learned reader was fitted; another embedder's vectors mean nothing to it.
    """

    def raise_alarms(text: str) -> Outcome[tuple[Alarm, ...]]:
        heard = {kind: Alarm(kind=kind, words=words) for kind, words in learned_reader().hear(text, encode).items()}
        if _SCOLDED.fullmatch(text):
            heard.clear()
        if _ACCIDENT.search(text):
            heard.pop("self_harm", None)
        heard.update((alarm.kind, alarm) for alarm in alarms(text))
        if DANGERS & heard.keys():
            heard.pop("first_aid", None)
        return Outcome(value=tuple(heard[kind] for kind in get_args(Kind) if kind in heard))

    return RunnableLambda(raise_alarms, name="raise_alarms")


def urgent_notices(raised: Iterable[Alarm]) -> tuple[str, ...]:
    """The fixed texts that a reader must see first, the most urgent first, none twice."""
    kinds = {alarm.kind for alarm in raised}
    files = dict.fromkeys(name for kind, name in _NOTICES.items() if kind in kinds)
    return tuple(prompt(name) for name in files)


def _raised(sign: Cues, said: Sequence[Sentence]) -> str:
    """The words of the first sentence that raises this alarm by itself; empty where none does."""
    for sentence in said:
        for pattern in (sign.alone, sign.personal if sentence.personal else None):
            match = pattern.search(sentence.text) if pattern is not None else None
            if match is not None and not (_excused(sign, sentence) or sentence.only_names(match.start())):
                return match.group().strip()
    return ""


def _near(sign: Cues, said: Sequence[Sentence]) -> str:
    """The words that mean danger together, in one sentence and the next; empty where there are none."""
    for one, other in zip_longest(said, said[1:]):
        if not one.personal:
            continue
        window = one if other is None else one.with_next(other)
        for patterns in sign.near:
            found = _all(patterns, window.text)
            if found and not (_excused(sign, window) or any(window.only_names(match.start()) for match in found)):
                return ", ".join(match.group().strip() for match in found)
    return ""


def _all(patterns: Sequence[re.Pattern[str]], text: str) -> list[re.Match[str]]:
    """Where each of the expressions is found; empty where one is not."""
    found: list[re.Match[str]] = []
    for pattern in patterns:
        match = pattern.search(text)
        if match is None:
            return []
        found.append(match)
    return found


def _excused(sign: Cues, sentence: Sentence) -> bool:
    """Whether the words are about something else, or about what is not happening now."""
    excused = sign.excuse is not None and sign.excuse.search(sentence.text) is not None
    return excused or (sign.dated and sentence.remote)
