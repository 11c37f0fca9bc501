"""Questions as people type them, what a search finds for them, and which of it answers: to fit and measure relevance.

The collection is MedQuAD and MedlinePlus. A question is asked of all of it, or of what remains without its focus. What
nobody can say for certain (an aspect akin to the one asked, a focus that contains the other) is labelled None.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.lexical import LexicalIndex
from core.schema import Evidence
from eval.data.held_out import held_out, normal_name
from eval.training.answering_data import ASPECTS, CUES, PARTICULARS, Maker
from eval.training.questions import WORDINGS, same_focus
from eval.training.sections import Section

FOUND, ADDED = 9, 2
SHARES = {"aspect": 0.57, "heading": 0.12, "particular": 0.15, "personal": 0.06, "off topic": 0.10}
REMOVED, FACT = 0.35, 0.4
TITLES = {"headed": 0.55, "focus": 0.2, "none": 0.25}


@dataclass(frozen=True)
class Chunk:
    """A passage of a section, and its place there."""

    section: Section
    number: int
    place: int
    text: str


@dataclass(frozen=True)
class Case:
    """A question with what was found for it: 1 answers, 0 does not, None nobody can say."""

    question: str
    kind: str
    evidence: list[Evidence] = field(default_factory=list)
    labels: list[int | None] = field(default_factory=list)


class Collection:
    """The passages of all sections, and what a question finds among them."""

    def __init__(self, sections: Sequence[Section]) -> None:
        """Index the passages; this takes some seconds."""
        self.sections = sections
        self.chunks = [
            Chunk(section, number, place, " ".join(chunk))
            for number, section in enumerate(sections)
            for place, chunk in enumerate(section.chunks())
        ]
        self._names = np.array([normal_name(c.section.focus) for c in self.chunks])
        self._index = LexicalIndex.build([c.text for c in self.chunks], [_titled(c, "headed") for c in self.chunks])

    def cases(self, count: int, held: bool, seed: int) -> Iterator[Case]:
        """Questions about focuses that are held out, or about the others."""
        maker = Maker([s for s in self.sections if held_out(s.focus) == held], seed)
        made = 0
        while made < count:
            kind = maker.rng.choices(list(SHARES), list(SHARES.values()))[0]
            section = maker.draw()
            if (kind == "aspect" and section.aspect not in ASPECTS) or (kind == "heading" and not section.heading):
                continue
            made += 1
            yield self._case(kind, section, maker)

    def _case(self, kind: str, section: Section, maker: Maker) -> Case:
        asked = section.aspect
        if kind == "aspect":
            question = maker.asker.ask(ASPECTS[asked]["asks"], section.focus)
        elif kind == "heading":
            question = maker.asker.typed(section.heading)
        elif kind == "particular":
            asked = maker.rng.choice(list(PARTICULARS))
            question = maker.asker.ask(PARTICULARS[asked]["asks"], section.focus)
        else:
            question = maker.asker.ask(
                WORDINGS["personal" if kind == "personal" else "off_topic"]["asks"], section.focus
            )
        case = Case(question, kind)
        form = maker.rng.choices(list(TITLES), list(TITLES.values()))[0]
        for place in self._found(question, section, maker.rng):
            chunk = self.chunks[place]
            case.evidence.append(_evidence(chunk, form))
            case.labels.append(_label(kind, asked, section, chunk))
        if kind in ("aspect", "particular") and maker.rng.random() < FACT:
            title, text, label = maker.fact(section)
            shown = title if form != "none" else ""
            case.evidence.append(Evidence(id="knowledge:1#fact", text=text, title=shown, source="knowledge"))
            case.labels.append(label if kind == "aspect" else 0)
        return case

    def _found(self, question: str, section: Section, rng: random.Random) -> list[int]:
        scores: NDArray[np.float32] = self._index.scores(question)
        same = self._names == normal_name(section.focus)
        removed = rng.random() < REMOVED
        if removed:
            scores = np.where(same, 0.0, scores).astype(np.float32)
        best = [int(i) for i in np.argsort(-scores)[:FOUND] if scores[i] > 0]
        if removed:
            return best
        own = [int(i) for i in np.flatnonzero(same) if i not in best]
        return best + rng.sample(own, min(ADDED, len(own)))


def _evidence(chunk: Chunk, form: str) -> Evidence:
    return Evidence(
        id=f"library:{chunk.number}#{chunk.place}", text=chunk.text, title=_titled(chunk, form), source="repository"
    )


def _titled(chunk: Chunk, form: str) -> str:
    focus, heading = chunk.section.focus, chunk.section.heading
    return {"headed": f"{focus}: {heading}" if heading else focus, "focus": focus, "none": ""}[form]


def _label(kind: str, asked: str, section: Section, chunk: Chunk) -> int | None:
    other = chunk.section
    if kind in ("personal", "off topic"):
        return 0
    if not same_focus(section.focus, other.focus):
        ours, theirs = (set(normal_name(s.focus).split()) for s in (section, other))
        return None if ours <= theirs or theirs <= ours else 0
    if kind == "particular":
        return int(CUES[asked]["tells"].search(chunk.text) is not None)
    if other is section:
        return 1 if chunk.place == 0 or (kind == "aspect" and CUES[asked]["tells"].search(chunk.text)) else None
    if kind == "heading":
        return None if other.group == "MPlusHealthTopics" or other.aspect == asked else 0
    return _aspect_label(asked, other, chunk)


def _aspect_label(asked: str, other: Section, chunk: Chunk) -> int | None:
    if other.aspect == asked:
        told = chunk.place == 0 or CUES[asked]["tells"].search(chunk.text)
        return (1 if told else None) if other.answers else 0
    mentions = CUES[asked].get("mentions")
    if other.aspect in ("", *ASPECTS[asked]["kin"]) or (mentions and mentions.search(chunk.text)):
        return None
    return 0
