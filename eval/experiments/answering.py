"""How well the reader of answers tells, alone, which passage answers: on questions that it did not learn from.

Of the questions of ``eval/data/judged`` those that are kept from learning, the stories among them, the patients' ones
that nothing learns from, questions that ship with the library, and questions that short texts were written for, right
ones and such that tell of another disease or another aspect. A passage answers from grade 2 on.

    python -m eval.experiments.answering [--folder READERS]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.readers.pairs import titled
from core.readers.reader import FOLDER, Reader
from core.settings import load_settings
from eval.metrics.classification import auc
from eval.training.judged import (
    ANSWERS,
    PASSAGE,
    SHORT,
    Judged,
    Pair,
    TextOf,
    asked,
    given_texts,
    judged,
    passage_pairs,
    reading,
    short,
    topical,
    unlearnt,
)
from eval.training.lists import STORY_WORDS
from graphs.resources import Resources

TOPICAL = 200
LIBRARY = "library:"
Outputs = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]


def parts(text_of: TextOf, seed: int) -> Iterator[tuple[str, list[list[Pair]]]]:
    """The questions of each part, each beside the passages of the library, or the short texts, that were graded."""

    def pairs_of(questions: Iterable[Judged]) -> list[list[Pair]]:
        beside = [list(passage_pairs(one.question, _of_library(one), text_of)) for one in questions]
        return [pairs for pairs in beside if pairs]

    found = unlearnt(judged())
    told = [one for one in unlearnt(topical()) if max(one.grades.values()) >= ANSWERS]
    yield "graded passages", pairs_of(found)
    yield "of these, stories", pairs_of(one for one in found if len(one.question.split()) >= STORY_WORDS)
    yield "patients' chats", pairs_of(asked())
    yield "of the library's topics", pairs_of(random.Random(seed).sample(told, min(TOPICAL, len(told))))
    for file in SHORT:
        yield file, short(measuring=True, files=[file])
    yield "short texts by another hand", given_texts()


def _of_library(one: Judged) -> dict[str, int]:
    return {place: grade for place, grade in one.grades.items() if place.startswith(LIBRARY)}


def figures(lists: Sequence[Sequence[Pair]], outputs: Outputs) -> dict[str, float]:
    """The area under the ROC curve over all pairs, and how often the best passage answers, of questions with one."""
    odds = outputs([(pair.question, titled(pair.title, pair.passage)) for pairs in lists for pair in pairs])[:, 0]
    answers = [np.array([pair.label >= PASSAGE[ANSWERS] for pair in pairs]) for pairs in lists]
    each = np.split(odds, np.cumsum([len(pairs) for pairs in lists])[:-1])
    first = [found[int(own.argmax())] for found, own in zip(answers, each, strict=True) if found.any()]
    return {
        "questions": len(lists),
        "pairs": len(odds),
        "auc": round(auc(np.concatenate(answers), odds), 4),
        "answered": len(first),
        "best answers": round(float(np.mean(first)), 3),
    }


def main() -> None:
    """Print a line a part."""
    parser = argparse.ArgumentParser(description="Measure the reader of answers alone.")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="another folder with answering.onnx and .json")
    parser.add_argument("--seed", type=int, default=5, help="of the library's questions that are drawn")
    given = parser.parse_args()
    settings = load_settings()
    resources = Resources(settings)
    reader, text_of = Reader.load("answering", settings.threads, given.folder), reading(resources)
    for name, lists in parts(text_of, given.seed):
        print(f"{name}: {figures(lists, reader.outputs)}", flush=True)
    resources.close()


if __name__ == "__main__":
    main()
