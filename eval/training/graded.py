"""Answers that were graded by who read them, as lists of pairs: which of a question's answers says most of it.

An answer is learnt as it reads by itself, without a title. Questions that are kept from learning stay out.

    python -m eval.training.graded --out graded.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from eval.training.judged import Pair, judged_answers, kept


def graded_lists(grades: Mapping[tuple[str, str], float]) -> list[list[Pair]]:
    """The answers of each question that is learnt, in the order of the grades."""
    found: dict[str, list[Pair]] = defaultdict(list)
    for (question, answer), grade in grades.items():
        if not kept(question):
            found[question].append(Pair(question, "", " ".join(answer.split()), grade))
    return list(found.values())


def lines(lists: Iterable[Iterable[Pair]]) -> list[str]:
    """The pairs as a pair file has them, with the number of the list of each."""
    return [json.dumps({**pair._asdict(), "list": number}) for number, one in enumerate(lists) for pair in one]


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.graded", description="Write graded answers.")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    made = lines(graded_lists(judged_answers()))
    given.out.write_text("".join(f"{line}\n" for line in made), encoding="utf-8")
    print(f"{len(made):,} pairs")


if __name__ == "__main__":
    main()
