"""Questions beside passages that a search finds and nobody judged: pairs for teachers to label (``taught``).

The questions are those that readers learn from: of searches, of topics and of passages. A label of one half says
nothing; ``taught --hard 0`` leaves nothing of it. Passages that share words with what measures stay out.

    python -m eval.training.unjudged --measured mediqa_qa --out unjudged.jsonl
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.schema import Evidence
from core.settings import load_settings
from eval.training.judged import Pair, judged, kept, learnt, near, topical
from eval.training.lists import write_lists
from eval.training.sections import measured_texts
from graphs.resources import Resources

UNKNOWN = 0.5
Search = Callable[[Sequence[str], int], Sequence[Evidence]]
"""Passages for some queries, so many at most, best first."""


class Wanted(NamedTuple):
    """A question, the ids of the passages that are judged for it, how many others are drawn, of how many found."""

    question: str
    judged: Container[str]
    drawn: int
    found: int


def unjudged_pairs(wanted: Iterable[Wanted], search: Search, rng: random.Random) -> Iterator[list[Pair]]:
    """Each question beside passages drawn from what is found for it, without those that were judged."""
    for question, known, drawn, found in wanted:
        others = [e for e in search([question], found) if e.id not in known]
        for evidence in rng.sample(others, min(drawn, len(others))):
            yield [Pair(question, evidence.title, evidence.text, UNKNOWN)]


def wanted_of(rng: random.Random, topics: int) -> Iterator[Wanted]:
    """All judged questions that are learnt, so many of topics, and those written for passages."""
    for one in learnt(judged()):
        yield Wanted(one.question, one.grades, 6, 20)
    written = learnt(topical())
    for one in rng.sample(written, min(topics, len(written))):
        yield Wanted(one.question, one.grades, 5, 14)
    for passage, answered, missed in near():
        for question in (*answered, *missed):
            if not kept(question):
                yield Wanted(question, {passage}, 5, 10)


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.unjudged", description="Write unjudged pairs.")
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--topics", type=int, default=6000, help="questions that were written for topics")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    resources, rng = Resources(load_settings()), random.Random(given.seed)
    made = unjudged_pairs(wanted_of(rng, given.topics), resources.library.search, rng)
    count = write_lists(made, measured_texts(given.measured), given.out)
    resources.close()
    print(f"{count:,} pairs")


if __name__ == "__main__":
    main()
