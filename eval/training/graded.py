"""Answers that were graded by who read them, as lists of pairs: which of a question's answers says most of it.

An answer is learnt as it reads by itself, without a title. Questions that are kept from learning stay out, and so do
answers that quote thirteen words of MEDIQA's.

    python -m eval.training.graded --measured mediqa_qa --out graded.jsonl
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from eval.training.judged import Pair, judged_answers, kept
from eval.training.lists import write_lists
from eval.training.sections import measured_texts


def graded_lists(grades: Mapping[tuple[str, str], float]) -> list[list[Pair]]:
    """The answers of each question that is learnt, in the order of the grades."""
    found: dict[str, list[Pair]] = defaultdict(list)
    for (question, answer), grade in grades.items():
        if not kept(question):
            found[question].append(Pair(question, "", " ".join(answer.split()), grade))
    return list(found.values())


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.graded", description="Write graded answers.")
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    count = write_lists(graded_lists(judged_answers()), measured_texts(given.measured), given.out)
    print(f"{count:,} pairs")


if __name__ == "__main__":
    main()
