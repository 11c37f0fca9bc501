"""Claims beside passages that are nearest to their own: what a search brings, without a label.

A reader that has learned says what each says of it (``eval.training.taught --hard 0``), and so teaches another on what
nobody has judged.

    python -m eval.training.beside --corpus scifact/corpus.jsonl --seed 11 --out beside.jsonl
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.training.written import Written, all_written, divided, write

NEAREST, CLAIMS = 3, 6
"""Passages that one is drawn from, and claims drawn of a passage."""
COMMON = 0.02
"""A word in more of the passages than this share tells nothing."""
_WORD = re.compile(r"[a-z]{4,}")


def nearest(passages: Sequence[str], count: int = NEAREST) -> Iterator[list[int]]:
    """Of each passage the places of those that share most of its rare words, the nearest first."""
    words = [set(_WORD.findall(passage.lower())) for passage in passages]
    spread = Counter(word for own in words for word in own)
    worth = {word: math.log(len(words) / n) for word, n in spread.items() if n < max(3, COMMON * len(words))}
    having = defaultdict[str, list[int]](list)
    for place, own in enumerate(words):
        for word in own & worth.keys():
            having[word].append(place)
    for place, own in enumerate(words):
        shared = Counter[int]()
        for word in sorted(own & worth.keys()):
            for other in having[word]:
                shared[other] += worth[word]  # type: ignore[assignment]
        del shared[place]
        yield [other for other, _ in shared.most_common(count)]


def beside(pairs: Sequence[Written], rng: random.Random) -> list[Written]:
    """Claims and questions, each with a passage that is near to its own, marked neither until a reader has read it."""
    of = defaultdict[str, list[Written]](list)
    for pair in pairs:
        of[pair.passage].append(pair)
    passages = list(of)
    found = [
        pair._replace(passage=passages[rng.choice(near)], label="neither")
        for passage, near in zip(passages, nearest(passages), strict=True)
        for pair in rng.sample(of[passage], min(len(of[passage]), CLAIMS))
        if near
    ]
    rng.shuffle(found)
    return found


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description="Claims beside passages that are near to their own.")
    parser.add_argument("--corpus", type=Path, help="SciFact's corpus.jsonl, for the pairs beside its abstracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    found = beside(divided(all_written(given.corpus))[0], random.Random(given.seed))
    write(given.out, found)
    print(f"{len(found):,} pairs")


if __name__ == "__main__":
    main()
