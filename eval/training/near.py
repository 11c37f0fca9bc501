"""Questions of patients beside one passage: those that it answers, and those that it only seems to.

``eval/data/judged/near.jsonl`` has of each passage questions written for it, and as many that somebody with the same
problem asks in its words, and that it does not answer. Questions that are kept from learning stay out.

    python -m eval.training.near --measured mediqa_qa --out near.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.settings import load_settings
from eval.training.judged import PASSAGE, Near, Pair, TextOf, kept, near, reading
from eval.training.lists import write_lists
from eval.training.sections import measured_texts
from graphs.resources import Resources


def near_pairs(written: Iterable[Near], text_of: TextOf) -> Iterator[list[Pair]]:
    """Each question that is learnt beside its passage: that answers it, or does not."""
    for passage, answered, missed in written:
        told = text_of(passage)
        for questions, label in ((answered, PASSAGE[-1]), (missed, PASSAGE[0])):
            yield from ([Pair(question, *told, label)] for question in questions if not kept(question))


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(prog="python -m eval.training.near", description="Write questions of passages.")
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    resources = Resources(load_settings())
    count = write_lists(near_pairs(near(), reading(resources)), measured_texts(given.measured), given.out)
    resources.close()
    print(f"{count:,} pairs")


if __name__ == "__main__":
    main()
