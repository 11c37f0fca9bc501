"""A follow-up made a question that stands alone, by its form and its linked concepts: "and in children?".

The only thing that comes from an earlier question is its subject or, for a fragment, its wording. A question with a
subject of its own is left as it is, to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains import leaning
from chains.lexicon import variant_groups
from chains.link import Link
from chains.understand import understand
from core.language import sentences
from core.schema import Mention, Outcome
from core.text import content_terms, stem

_VARIANT = re.compile(r"\b(?P<kind>type|stage|grade|class|group) (?P<which>\w{1,3})\b", re.I)
_NOT_THE_NAME = re.compile(r"(?<=\w) (?:used|taken|given|made|treated|caused|prescribed|indicated|works?)\b.*$", re.I)
_NO_TOPIC = frozenset({"now", "then", "you", "me", "again", "so", "yes", "no"})


class FollowUp(NamedTuple):
    """A question, and the person's earlier ones of the thread, the newest last."""

    question: str
    earlier: tuple[str, ...] = ()


class _Before(NamedTuple):
    """What a follow-up can lean on: an earlier question that stands alone, its subject and that one's groups."""

    asked: str
    subject: str
    groups: frozenset[str]


def follow_up(link: Link) -> Runnable[FollowUp, Outcome[str]]:
    """A Runnable from a question and those before it to one that stands alone."""

    def run(given: FollowUp) -> Outcome[str]:
        return Outcome(value=resolve(given.question, given.earlier, link))

    return RunnableLambda(run, name="follow_up")


def resolve(question: str, earlier: Sequence[str], link: Link) -> str:
    """The question as one that stands alone.

    Args:
        question: as asked.
        earlier: the person's questions before it in this thread, already resolved, the newest last.
        link: finds concepts in a text.

    Returns:
        The question with the subject of the newest earlier question that has one; unchanged where it has its own, or
        where there is nothing to lean on.
    """
    if not earlier or not question.strip():
        return question
    text = " ".join(question.split()).replace("\u2019", "'")
    own = _own(text, link)
    if _stands_alone(text, own):
        return question
    before = next((found for asked in reversed(earlier) if (found := _before(asked, link))), None)
    if before is None:
        return question
    if leaning.is_fragment(text):
        made = _from_fragment(text, own, before)
    else:
        made = leaning.with_subject(leaning.body_of(text), before.subject)
    return question if made is None else leaning.finished(made)


def _own(text: str, link: Link) -> tuple[Mention, ...]:
    """The concepts that can be a question's subject: neither people nor what is asked of something."""
    return tuple(m for m in link(text) if not leaning.PEOPLE.match(m.text) and not leaning.ASPECT.fullmatch(m.text))


def _stands_alone(text: str, own: Sequence[Mention]) -> bool:
    place = leaning.dangling(text)
    if place is not None:
        return any(m.start < place for m in own) or leaning.told_before(text, place)
    body = leaning.body_of(text)
    if leaning.is_fragment(text):
        leans = leaning.is_opened(text) or bool(leaning.CIRCUMSTANCE.match(body))
        return len(own) > 1 or bool(own and (not leans or leaning.ASPECT.search(body)))
    return bool(own) or not (leaning.asks_of_nothing(body) or leaning.MORE.match(body))


def _before(asked: str, link: Link) -> _Before | None:
    """An earlier question as what a follow-up leans on; None where it is about nothing that is known."""
    read = understand(asked, lambda text: _own(text, link))
    subject = leaning.without_people(_NOT_THE_NAME.sub("", leaning.plain(read.subject)))
    if not content_terms(subject) or not (read.sure or read.subject_concepts) or leaning.dangling(subject) is not None:
        return None
    flat = " ".join(asked.split())
    last = ([s.text for s in sentences(flat) if s.text.endswith("?")] or [flat])[-1]
    core = leaning.plain(last)
    if subject.lower() not in core.lower():
        core = leaning.with_subject(leaning.body_of(core), subject) or f"What about {subject}"
    return _Before(core, subject, _groups(_own(subject, link)))


def _groups(mentions: Sequence[Mention]) -> frozenset[str]:
    return frozenset(m.concept.group for m in mentions if m.concept.group)


def _from_fragment(text: str, own: Sequence[Mention], before: _Before) -> str | None:
    """The earlier question with the fragment in its place: a circumstance, an aspect, a sibling or another subject."""
    body = leaning.body_of(text)
    if leaning.PEOPLE.match(body):
        return leaning.under(before.asked, f"in {body}")
    if leaning.CIRCUMSTANCE.match(body):
        return leaning.under(before.asked, re.sub(r"^what if\b", "if", body, flags=re.I))
    if body.lower() == "why":
        return f"Why {leaning.lowered(before.asked)}" if leaning.YES_NO.match(before.asked) else None
    if not own and leaning.ASPECT.search(body):
        return leaning.whole_aspect(body, before.subject)
    sibling = _sibling(body, before.subject)
    if sibling is not None:
        return _exchanged(before, sibling)
    return _another(body, own, before) if own or leaning.is_opened(text) else None


def _another(body: str, own: Sequence[Mention], before: _Before) -> str | None:
    """A concept of the subject's kind takes its place; one of another kind is asked about together with it."""
    groups = _groups(own)
    if own and (not groups or not before.groups or groups & before.groups):
        return _exchanged(before, body)
    if not set(body.lower().split()).isdisjoint(_NO_TOPIC):
        return None
    of_it = (before.subject, body) if "DISO" in groups else (body, before.subject)
    return "What about {} for {}".format(*of_it)


def _sibling(body: str, subject: str) -> str | None:
    """The subject's sibling that a fragment names: "type 2" of "type 1 diabetes", "chronic" of "acute hepatitis"."""
    bare = re.sub(r"^the | (?:form|one|kind|type)s?$", "", body, flags=re.I)
    if _VARIANT.fullmatch(bare):
        here = _VARIANT.search(subject)
        return f"{subject[: here.start()]}{bare}{subject[here.end() :]}" if here else f"{bare} {subject}"
    for group in variant_groups():
        if stem(bare.lower()) in group:
            word = next((w for w in subject.split() if stem(w.lower()) in group), None)
            return subject.replace(word, bare, 1) if word else f"{bare} {subject}"
    return None


def _exchanged(before: _Before, other: str) -> str | None:
    start = before.asked.lower().find(before.subject.lower())
    return f"{before.asked[:start]}{other}{before.asked[start + len(before.subject) :]}" if start >= 0 else None
