"""Where a text asks: its questions in order, each as one that stands alone; what it tells is the story around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chains import leaning
from chains.contrast import compared
from chains.form import YES_NO
from chains.stated import ASKS, AUX, WH, as_question
from core.language import sentences
from core.text import content_terms, end_of, words

MOST = 4
"""Questions of one text that are answered."""

_ASKS_INSIDE = re.compile(rf"[,:;\u2013-]\s+(?={WH}\b|{AUX})|\s(?={WH} (?:is|are|do|does|can|should)\b)", re.I)
_PREDICATE = r"(?:(?:ha[sd]|have) (?:an?|the|my)|is an?)\b"
"""What goes on telling of who was named: "my son pulls his ear and has a fever"."""
_JOINT = re.compile(
    rf"(?:\s*[,;&]\s*(?:and |but |or |also )?|\s+(?:and|but|or|also|then)\s+)(?={WH}\b|(?!{_PREDICATE}){AUX})", re.I
)
_LEAST_WORDS = 2
LITTLE = 3
"""Words of content that cannot say what they are about, where none of them is linked: more can."""
_LEAST_CONTENT = 2
_TOPIC_WORDS = 4
_SPOKEN = re.compile(
    r"(?:\b(?:ok|okay|alright|sure|yes|yeah|yep|no|so|and|but|well|also|then|oh|um|hi|hello|thanks|thank you|please)\b"
    r"|\W)+",
    re.I,
)
"""Words of a talk, which are no topic of what follows: "okay, what should I take for it"."""
_TELLER = re.compile(
    r"\W*(?:(?:hey|hi|hello|ok|so|well|and|but|there)\W+)*(?:i|i'm|i've|my|we|he|she|they|our|their|someone|don't|not)\b",
    re.I,
)
_HAVING = re.compile(
    r"\W*(?:(?:i|he|she|we|they|my \w+)(?: just)? (?:have|has|had|got)|(?:i|we|they)'ve)\b(?: \w+)+", re.I
)
"""Somebody has something: the shortest of stories."""
_WISH = re.compile(r"(?:do|does|did)n't (?:want|like|have|know|feel)\b", re.I)
_SMALL_START = re.compile(r"(?<=[a-z)]{3}[.!?])\s+(?=[a-z])")
THEY = re.compile(r"\b(?:they|them|their)\b", re.I)
IT = re.compile(r"\b(?:it|this|that|its)\b", re.I)
"""Words that point at what was named before: several, and one."""
_THEY_FIRST = re.compile(r"^(?:(?:are|do|does|can|could|will|would|should|were|have|may) )they\b", re.I)
_ANOTHER = re.compile(r"\b(?:another|a new|more|any other) ones?\b", re.I)
_PERSON = re.compile(r"\b(?:he|she)\b", re.I)
_BARE = re.compile(
    r"(?:(?:so|and|but|or|ok|well|now)\W+)*"
    r"(?:(?P<helps>what (?:else )?(?:helps?|works|(?:can|could|will|would|might) help))|"
    r"(?:(?:any|some|got any) )?(?:tips|advice|help|ideas|suggestions|recommendations|remedies)|"
    r"what (?:else )?(?:to do|now|(?:can|could|should|do|must) (?:i|we|you|one|she|he) do|can be done))"
    r"(?:\s+(?:now|here|about|for|against|with|it|this|that|then|next|please|first))*\W*$",
    re.I,
)
"""What to do, of nothing: it is what the story or the question before it tells of."""
_PLURAL = re.compile(r"\w+(?<![su])s\b(?! disease)(?:$| (?:in|of|on|with)\b)", re.I)
_WITHIN = re.compile(r"\b(?:ha(?:s|ve)|contains?|with)\b.* in (?:it|them)\W*$", re.I)
"""What "them" points at stands before it: "foods that have iron in them"."""
LONGEST = 600
"""Characters of the longest sentence that is read whole; of a longer one the end, which asks."""


class Asking(NamedTuple):
    """A text's questions, each alone and in the words of the text, and what it compares."""

    questions: tuple[str, ...]
    compared: tuple[str, str] | None = None


def asking(text: str) -> Asking:
    """The questions of a text; its last sentence where none looks like one."""
    pieces = [as_question(end_of(piece, LONGEST)) for piece in told(text)]
    asked = [piece for piece in map(_asked_in, pieces) if piece] or [pieces[-1]]
    questions: list[str] = []
    for part in (part for piece in asked for part in _divided(piece)):
        if questions and len(content_terms(part)) < _LEAST_CONTENT and not leans(part):
            questions[-1] = f"{questions[-1]} {part}"
        else:
            questions.append(part)
    sides = next((found for piece in asked if (found := compared(piece))), None)
    return Asking(tuple(dict.fromkeys(questions))[:MOST], sides)


def told(text: str) -> list[str]:
    """The sentences of a text; who types in small letters ends one without beginning the next with a capital."""
    pieces = [s.text for s in sentences(text)] or [text]
    return [part for piece in pieces for part in _SMALL_START.split(piece) if part.strip()] or [text]


def alone(question: str, subject: str) -> str:
    """The question with the subject in it that it leans on."""
    if not subject or subject.lower() in question.lower():
        return question
    if bare := _BARE.match(question.strip()):
        return f"What helps with {subject}?" if bare["helps"] else f"What can I do about {subject}?"
    body = _ANOTHER.sub(lambda _: subject, leaning.body_of(question))
    if subject in body:
        return leaning.finished(body)
    if _THEY_FIRST.match(body) and _PLURAL.match(subject):
        made: str | None = THEY.sub(lambda _: subject, body, count=1)
    elif THEY.search(body):  # most often those who treat, or who have it
        pointing = IT.search(body)
        made = f"{body[: pointing.start()]}{subject}{body[pointing.end() :]}" if pointing else None
    else:
        made = leaning.with_subject(body, subject)
    if made is None and len(content_terms(body)) > LITTLE:
        return question
    return leaning.finished(made or f"{body} with {subject}")


def leans(question: str) -> bool:
    """Whether a question points at something that was named before it."""
    if _WITHIN.search(question):
        return False
    if _BARE.match(question.strip()):
        return True
    body = leaning.body_of(question)
    bare = IT.search(body) is not None and len(content_terms(body)) <= _LEAST_CONTENT
    return bare or leaning.dangling(body) is not None or leaning.asks_of_nothing(body)


def of_person(question: str) -> bool:
    """Whether a question asks of him or her who was spoken of."""
    return _PERSON.search(question) is not None


def _asked_in(piece: str) -> str:
    """The asking part of a sentence: all of it, or what follows a story in the same sentence; empty where none."""
    if ASKS.match(piece):
        return piece
    inside = _ASKS_INSIDE.search(piece)
    if inside and _is_story(piece[: inside.start()]):
        return piece[inside.end() :]
    if inside and len(words(piece[: inside.start()])) <= _TOPIC_WORDS and leans(piece[inside.end() :]):
        topic, asked = piece[: inside.start()].strip(), piece[inside.end() :]
        return asked if _HAVING.match(topic) or _SPOKEN.fullmatch(topic) else alone(asked, topic)
    return piece if piece.rstrip().endswith("?") else ""


def _is_story(text: str) -> bool:
    """Whether the words before a question are a sentence of their own and not its topic, as in "Lipitor - how …"."""
    return len(words(text)) > _TOPIC_WORDS and _TELLER.match(text) is not None


def _asks_yes_no(text: str) -> bool:
    return YES_NO.match(text) is not None and _WISH.match(text) is None


def _divided(question: str) -> Sequence[str]:
    """The questions that "and" or a comma joins; one that asks nothing by itself stays with its neighbour."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(question):
        before = question[start : joint.start()].strip(" ,;")
        if len(words(before)) >= _LEAST_WORDS and (ASKS.match(before) or _asks_yes_no(before)):
            parts.append(before)
            start = joint.end()
        elif _is_story(before):
            start = joint.end()
    parts.append(question[start:].strip())
    return [part for part in parts if words(part)] or [question]
