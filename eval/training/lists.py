"""All that was judged for a question as one list: which of it answers best (``eval.training.train`` learns the order).

A list is the passages that a search found, or a topic's passages beside what the search finds in other topics or what
stands under the same heading there, or short texts that somebody gives, or a passage's sentences. Questions and texts
that are kept from learning stay out, as in ``eval.training.judged``.

    python -m eval.training.lists --measured mediqa_qa --out lists.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path

from chains.answer.sentences import units_of
from chains.relevance.subject import divided
from core.schema import Evidence
from core.settings import load_settings
from eval.training.judged import (
    ANSWERS,
    PASSAGE,
    SENTENCE,
    Judged,
    Pair,
    Sentences,
    graded_sentences,
    judged,
    learnt,
    passage_pairs,
    reading,
    sentence_pairs,
    short,
    topical,
)
from eval.training.sections import measured_texts, shingles
from graphs.resources import Resources
from tools.library.shipped import read_documents, read_sheet

SEARCHED, BESIDE, OTHER = 30, 3, 0.05
"""Passages searched for a topic's question, how many of other topics are learnt, and how far one is held to answer."""
SENTENCES = 8
"""Sentences, or runs of them, of a list at most."""
STORY_WORDS = 25
"""Words of a question that tells a story first, at least."""
RUNS, NAMED = (2, 3), 0.5
"""Sentences of a run, and how often what it is about stands before it."""
WIDELY, WRONG = 20, 2
"""Passages that a heading of many topics has at least, and how many runs are learnt of these and of the right topic."""


def passage_lists(resources: Resources, rng: random.Random, topics: int, stories: int) -> Iterator[list[Pair]]:
    """Passages of all judged questions, and of so many, plain or long, that were written for topics."""
    text_of = reading(resources)
    for question, grades, _ in learnt(judged()):
        yield list(passage_pairs(question, grades, text_of))
    written = [one for one in learnt(topical()) if max(one.grades.values()) >= ANSWERS]
    for one in drawn(written, rng, topics, stories):
        yield [*passage_pairs(one.question, one.grades, text_of), *_beside(one.question, one.grades, resources)]


def sentence_lists(
    resources: Resources, rng: random.Random, count: int, stories: int, searched: int
) -> Iterator[list[Pair]]:
    """Sentences, and runs of them, of what answers so many questions that were searched for, and so many of topics."""
    found, told = ([one for one in learnt(judgements) if one.sentences] for judgements in (judged(), topical()))
    for said in _told(resources, rng.sample(found, min(searched, len(found)))):
        yield sentences_of(said, rng)
        yield answers_of(said, rng)
    for said in _told(resources, drawn(told, rng, count, stories)):
        yield sentences_of(said, rng)
        yield [*answers_of(said, rng), *said_beside(said, resources, rng)]


def subject_lists(resources: Resources, rng: random.Random, count: int) -> Iterator[list[Pair]]:
    """Passages of so many topics at most beside what the same heading has in others: right, but for the subject."""
    under = _by_heading()
    asked = [one for one in learnt(topical()) if one.sentences]
    told = _told(resources, rng.sample(asked, len(asked)))
    headed = (one for one in told if (asks := _heading(one.title)) and len(under[asks]) > WIDELY)
    for said in islice(headed, count):
        subject = divided(said.title)[0]
        others = [one for one in under[_heading(said.title)] if subject.lower() not in f"{one[0]} {one[1]}".lower()]
        if len(others) <= WRONG:
            continue
        whole, *wrong = rng.sample(others, 1 + WRONG)
        right = [pair for pair in answers_of(said, rng, named=1.0) if pair.label == SENTENCE[-1]]
        yield [
            Pair(said.question, said.title, " ".join(said.sentences), PASSAGE[-1]),
            Pair(said.question, *whole, PASSAGE[0]),
            *right[:WRONG],
            *(_named(said.question, *one, rng) for one in wrong),
        ]


def _told(resources: Resources, judgements: Iterable[Judged]) -> Iterator[Sentences]:
    """The passages that answer these questions, by sentence, as they are asked for."""
    return (said for said in graded_sentences(reading(resources), judgements) if any(said.grades))


def _by_heading() -> dict[str, list[tuple[str, str]]]:
    """Titles and texts of the library's passages, by the question that stands over them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for corpus in read_sheet().corpora:
        for document in read_documents(corpus):
            for passage in document.passages:
                found.setdefault(_heading(passage.title), []).append((passage.title, passage.text))
    return found


def _heading(title: str) -> str:
    """The question that a title asks, whatever of."""
    subject, heading = divided(title)
    return heading.lower().replace(subject.lower(), "") if subject else ""


def _named(question: str, title: str, text: str, rng: random.Random) -> Pair:
    """The first sentences of another topic's passage, told of that by name."""
    first = [unit.text for unit in units_of(Evidence(id=title, title=title, text=text, source="library"))]
    return Pair(question, "", f"{divided(title)[0]}: {' '.join(first[: rng.choice(RUNS)])}", PASSAGE[0])


def drawn(written: Sequence[Judged], rng: random.Random, plain: int, stories: int) -> list[Judged]:
    """So many of the plain questions, and so many of those that tell a story; all where there are fewer."""
    told = [one for one in written if len(one.question.split()) >= STORY_WORDS]
    others = [one for one in written if len(one.question.split()) < STORY_WORDS]
    return rng.sample(others, min(plain, len(others))) + rng.sample(told, min(stories, len(told)))


def sentences_of(said: Sentences, rng: random.Random) -> list[Pair]:
    """A passage's sentences: those that do not pad, and some of those that do."""
    pairs = list(sentence_pairs(said.question, said.title, said.sentences, said.grades))
    best = [pair for pair, grade in zip(pairs, said.grades, strict=True) if grade]
    padding = [pair for pair, grade in zip(pairs, said.grades, strict=True) if not grade]
    return [*best, *rng.sample(padding, min(len(padding), max(0, SENTENCES - len(best))))]


def answers_of(said: Sentences, rng: random.Random, named: float = NAMED) -> list[Pair]:
    """Runs of a passage's sentences as answers are made of them: each answers as far as the best of its sentences."""
    subject = divided(said.title)[0]
    found = []
    for length in RUNS:
        for start in range(len(said.sentences) - length + 1):
            text = " ".join(said.sentences[start : start + length])
            lead = f"{subject}: " if subject and rng.random() < named else ""
            found.append(Pair(said.question, "", lead + text, SENTENCE[max(said.grades[start : start + length])]))
    return rng.sample(found, min(SENTENCES, len(found)))


def said_beside(said: Sentences, resources: Resources, rng: random.Random) -> Iterator[Pair]:
    """The first sentences of what the search finds in other topics, each told of its own: another disease's answer."""
    for _, title, text, _ in _beside(said.question, {said.passage: ANSWERS}, resources):
        yield _named(said.question, title, text, rng)._replace(label=OTHER)


def _beside(question: str, own: Mapping[str, int], resources: Resources) -> Iterator[Pair]:
    """What the search finds for a topic's question in other topics of its corpus: held to answer seldom."""
    documents = {evidence_id.partition("#")[0] for evidence_id in own}
    corpus = next(iter(own)).partition("/")[0]
    found = [e for e in resources.library.search([question], SEARCHED) if e.id.startswith(corpus)]
    others = [e for e in found if e.id.partition("#")[0] not in documents]
    for evidence in others[:BESIDE]:
        yield Pair(question, evidence.title, evidence.text, OTHER)


def write_lists(made: Iterable[Iterable[Pair]], measured: Set[int], out: Path) -> int:
    """Write the pairs with the number of the list of each, but for those that share words with what measures.

    Gives how many pairs were written.
    """
    lines = [
        json.dumps({**pair._asdict(), "list": number})
        for number, one in enumerate(made)
        for pair in one
        if not shingles(pair.passage) & measured
    ]
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def main() -> None:
    """Write the lists in a seeded order; a pair that shares words with what measures is left out."""
    parser = argparse.ArgumentParser(description="Write what was judged as lists.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--topics", type=int, default=1500, help="questions that were written for topics")
    parser.add_argument("--told", type=int, default=1500, help="questions for topics, by sentence")
    parser.add_argument("--subjects", type=int, default=0, help="passages beside those under the same heading")
    parser.add_argument("--short", action="store_true", help="the short texts that were written for questions, too")
    parser.add_argument("--searched", type=int, default=10_000, help="judged questions, by sentence")
    parser.add_argument("--stories", type=int, default=0, help="so many of both for questions that tell a story")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    resources = Resources(load_settings())
    rng = random.Random(given.seed)
    measured = measured_texts(given.measured)
    made = [
        *passage_lists(resources, rng, given.topics, given.stories),
        *(short() if given.short else []),
        *subject_lists(resources, rng, given.subjects),
        *sentence_lists(resources, rng, given.told, given.stories, given.searched),
    ]
    resources.close()
    rng.shuffle(made)
    count = write_lists(made, measured, given.out)
    print(f"{len(made):,} lists, {count:,} pairs")


if __name__ == "__main__":
    main()
