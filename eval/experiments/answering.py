"""How well the reader of answers tells, alone, which passage answers: on questions that it did not learn from.

Of the questions of ``eval/data/judged`` those that are kept from learning, the stories among them, the patients' ones
that nothing learns from, and questions that ship with the library. A passage answers from grade 2 on.

    python -m eval.experiments.answering [--folder READERS]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.readers.pairs import titled
from core.readers.reader import FOLDER, Reader
from core.settings import load_settings
from eval.metrics.classification import auc
from eval.training.judged import ANSWERS, Judged, TextOf, asked, judged, reading, topical, unlearnt
from eval.training.lists import STORY_WORDS
from graphs.resources import Resources

TOPICAL = 200
LIBRARY = "library:"
Outputs = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]


def parts(seed: int) -> Iterator[tuple[str, list[Judged]]]:
    """The questions of each part, with the grades of the library's passages."""
    found = unlearnt(judged())
    told = [one for one in unlearnt(topical()) if max(one.grades.values()) >= ANSWERS]
    yield "graded passages", found
    yield "of these, stories", [one for one in found if len(one.question.split()) >= STORY_WORDS]
    yield "patients' chats", [one for one in map(_of_library, asked()) if one.grades]
    yield "of the library's topics", random.Random(seed).sample(told, min(TOPICAL, len(told)))


def _of_library(one: Judged) -> Judged:
    return one._replace(grades={place: grade for place, grade in one.grades.items() if place.startswith(LIBRARY)})


def figures(questions: Sequence[Judged], text_of: TextOf, outputs: Outputs) -> dict[str, float]:
    """The area under the ROC curve over all pairs, and how often the best passage answers, of questions with one."""
    pairs = [(one.question, titled(*text_of(place))) for one in questions for place in one.grades]
    odds = outputs(pairs)[:, 0]
    ends = np.cumsum([len(one.grades) for one in questions])[:-1]
    grades = [np.array(list(one.grades.values())) for one in questions]
    first = [
        found[int(own.argmax())] >= ANSWERS
        for found, own in zip(grades, np.split(odds, ends), strict=True)
        if found.max() >= ANSWERS
    ]
    return {
        "questions": len(questions),
        "pairs": len(pairs),
        "auc": round(auc(np.concatenate(grades) >= ANSWERS, odds), 4),
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
    for name, questions in parts(given.seed):
        print(f"{name}: {figures(questions, text_of, reader.outputs)}", flush=True)
    resources.close()


if __name__ == "__main__":
    main()
