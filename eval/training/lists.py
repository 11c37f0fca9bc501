"""All that was judged for a question as one list: which of it answers best (``eval.training.train`` learns the order).

A list is the passages that a search found, or a topic's passages beside what the search finds in other topics, or a
passage's sentences. Questions and texts that are kept from learning stay out, as in ``eval.training.judged``.

    python -m eval.training.lists --measured mediqa_qa --out lists.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from chains.relevance.subject import divided
from core.settings import load_settings
from eval.training.judged import (
    ANSWERS,
    SENTENCE,
    Judged,
    Pair,
    Sentences,
    TextOf,
    graded_sentences,
    judged,
    learnt,
    passage_pairs,
    reading,
    sentence_pairs,
    topical,
)
from eval.training.sections import measured_texts, shingles
from graphs.resources import Resources

SEARCHED, BESIDE, OTHER = 30, 3, 0.05
"""Passages searched for a topic's question, how many of other topics are learnt, and how far one is held to answer."""
SENTENCES = 8
"""Sentences, or runs of them, of a list at most."""
STORY_WORDS = 25
"""Words of a question that tells a story first, at least."""
RUNS, NAMED = (2, 3), 0.5
"""Sentences of a run, and how often what it is about stands before it."""


Asked = TypeVar("Asked", Judged, Sentences)


def passage_lists(resources: Resources, rng: random.Random, topics: int, stories: int) -> Iterator[list[Pair]]:
    """Passages of all judged questions, and of so many, plain or long, that were written for topics."""
    text_of = reading(resources)
    for question, grades, _ in learnt(judged()):
        yield list(passage_pairs(question, grades, text_of))
    written = [one for one in learnt(topical()) if max(one.grades.values()) >= ANSWERS]
    for one in drawn(written, rng, topics, stories):
        yield [*passage_pairs(one.question, one.grades, text_of), *_beside(one.question, one.grades, resources)]


def sentence_lists(text_of: TextOf, rng: random.Random, count: int, stories: int) -> Iterator[list[Pair]]:
    """Sentences, and runs of them, of all judged passages, and of so many that were written for plain or long ones."""
    found = [one for one in graded_sentences(text_of, learnt(judged())) if any(one.grades)]
    told = [one for one in graded_sentences(text_of, learnt(topical())) if any(one.grades)]
    for said in [*found, *drawn(told, rng, count, stories)]:
        yield sentences_of(said, rng)
        yield answers_of(said, rng)


def drawn(written: Sequence[Asked], rng: random.Random, plain: int, stories: int) -> list[Asked]:
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


def answers_of(said: Sentences, rng: random.Random) -> list[Pair]:
    """Runs of a passage's sentences as answers are made of them: each answers as far as the best of its sentences."""
    subject = divided(said.title)[0]
    found = []
    for length in RUNS:
        for start in range(len(said.sentences) - length + 1):
            text = " ".join(said.sentences[start : start + length])
            lead = f"{subject}: " if subject and rng.random() < NAMED else ""
            found.append(Pair(said.question, "", lead + text, SENTENCE[max(said.grades[start : start + length])]))
    return rng.sample(found, min(SENTENCES, len(found)))


def _beside(question: str, own: Mapping[str, int], resources: Resources) -> Iterator[Pair]:
    """What the search finds for a topic's question in other topics of its corpus: held to answer seldom."""
    documents = {evidence_id.partition("#")[0] for evidence_id in own}
    corpus = next(iter(own)).partition("/")[0]
    found = [e for e in resources.library.search([question], SEARCHED) if e.id.startswith(corpus)]
    others = [e for e in found if e.id.partition("#")[0] not in documents]
    for evidence in others[:BESIDE]:
        yield Pair(question, evidence.title, evidence.text, OTHER)


def main() -> None:
    """Write the lists in a seeded order; a pair that shares words with what measures is left out."""
    parser = argparse.ArgumentParser(description="Write what was judged as lists.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--topics", type=int, default=1500, help="questions that were written for topics")
    parser.add_argument("--told", type=int, default=1500, help="passages of topics by sentence")
    parser.add_argument("--stories", type=int, default=0, help="so many of both for questions that tell a story")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    resources = Resources(load_settings())
    rng = random.Random(given.seed)
    measured = measured_texts(given.measured)
    made = [
        *passage_lists(resources, rng, given.topics, given.stories),
        *sentence_lists(reading(resources), rng, given.told, given.stories),
    ]
    resources.close()
    rng.shuffle(made)
    count = 0
    with given.out.open("w", encoding="utf-8") as out:
        for number, one in enumerate(made):
            for pair in one:
                if not shingles(pair.passage) & measured:
                    out.write(json.dumps({**pair._asdict(), "list": number}) + "\n")
                    count += 1
    print(f"{len(made):,} lists, {count:,} pairs")


if __name__ == "__main__":
    main()
