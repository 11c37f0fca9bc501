"""Questions with passages that were judged by hand, and passages whose sentences were: what answers, and what does not.

``eval/data/judged/passages.jsonl``: ``{question, grades: {id of a library passage: 0 to 3}}``, 3 answers directly, 2 an
important part, 1 is on the subject and beside the point, 0 is of no use. ``sentences.jsonl``: ``{question, title,
sentences, grades}``, a grade a sentence: 2 answers, 1 belongs to the answer, 0 pads it. ``topics.jsonl``: as
``passages.jsonl``, but the questions were written for a topic of the library, and the passages are that topic's alone.

    python -m eval.training.judged --out judged.jsonl        writes them as pairs for eval.training.train
"""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from chains.answer.sentences import in_context
from core.settings import load_settings
from graphs.resources import Resources

FOLDER = Path(__file__).parents[1] / "data" / "judged"
PASSAGE, SENTENCE = (0.0, 0.1, 0.8, 1.0), (0.0, 0.4, 1.0)
"""How far a passage, or a sentence, of each grade answers."""
PARTS = 5
"""One of so many questions is kept from learning."""


class Judged(NamedTuple):
    """A question with the grades of passages, by the ids of their evidence."""

    question: str
    grades: Mapping[str, int]


class Pair(NamedTuple):
    """A question beside a passage or a sentence, and how far that answers it, in [0, 1]."""

    question: str
    title: str
    passage: str
    label: float


def judged(folder: Path = FOLDER) -> list[Judged]:
    """The questions with their graded passages, which a search found."""
    return _judged(folder / "passages.jsonl")


def _judged(path: Path) -> list[Judged]:
    return [Judged(line["question"], line["grades"]) for line in _lines(path)]


def kept(question: str) -> bool:
    """Whether a question is kept from learning, for other fits."""
    return zlib.crc32(question.encode()) % PARTS == 0


def kept_sentences(folder: Path = FOLDER) -> Iterator[Pair]:
    """The sentences of questions that are kept from learning."""
    return _sentence_pairs(folder, learnt=False)


def pairs(text_of: Callable[[str], tuple[str, str]], folder: Path = FOLDER) -> Iterator[Pair]:
    """All pairs to learn from; ``text_of`` gives title and text of a passage by its id."""
    for question, grades in [*judged(folder), *_judged(folder / "topics.jsonl")]:
        if not kept(question):
            for evidence_id, grade in grades.items():
                yield Pair(question, *text_of(evidence_id), PASSAGE[grade])
    yield from _sentence_pairs(folder, learnt=True)


def _sentence_pairs(folder: Path, *, learnt: bool) -> Iterator[Pair]:
    for line in _lines(folder / "sentences.jsonl"):
        if kept(line["question"]) is not learnt:
            for text, grade in zip(in_context(line["sentences"]), line["grades"], strict=True):
                yield Pair(line["question"], line["title"], text, SENTENCE[int(grade)])


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Write the pairs in a seeded order."""
    parser = argparse.ArgumentParser(description="Write the judged pairs.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    resources = Resources(load_settings())
    index = resources.library.open()

    def text_of(evidence_id: str) -> tuple[str, str]:
        row = index.read([index.row(evidence_id)])[0]
        return row.title, row.text

    made = list(pairs(text_of))
    resources.close()
    random.Random(given.seed).shuffle(made)
    given.out.write_text("".join(json.dumps(pair._asdict()) + "\n" for pair in made), encoding="utf-8")
    print(f"{len(made):,} pairs")


if __name__ == "__main__":
    main()
