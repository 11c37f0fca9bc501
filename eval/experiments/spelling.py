"""How much of what people misspell is put right, and how much that was right is changed.

A line of a set is ``{typed, meant}``: alike but for spelling, chat and apostrophes. Both go through what corrects; a
line is right where both come to the same words, whatever their apostrophes.

    python -m eval.experiments.spelling eval/data/sets/spelling.unread.jsonl
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from core.settings import load_settings
from graphs.engine import EvidenceSteps
from graphs.resources import Resources

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


class Pair(NamedTuple):
    """What was typed, and what was meant by it."""

    typed: str
    meant: str


def read(path: Path) -> list[Pair]:
    """The pairs of a set."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Pair(line["typed"], line["meant"]) for line in lines]


def bare(text: str) -> str:
    """The words of a text in lower case without apostrophes."""
    return " ".join(re.sub("['\u2019]", "", word) for word in _WORD.findall(text.lower()))


def figures(pairs: Iterable[Pair], correct: Callable[[str], str]) -> dict[str, float]:
    """Shares of the misspelt texts that are right as typed and as corrected, and of the others that are changed."""
    wrong: list[Pair] = []
    right: list[Pair] = []
    for pair in pairs:
        (right if bare(pair.typed) == bare(pair.meant) else wrong).append(pair)
    mended = [bare(correct(typed)) in (bare(meant), bare(correct(meant))) for typed, meant in wrong]
    changed = [bare(correct(typed)) != bare(typed) for typed, _ in right]
    return {"misspelt": len(wrong), "mended": _share(mended), "right": len(right), "changed": _share(changed)}


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / len(found), 3) if found else 0.0


def main() -> None:
    """Print the figures of each set."""
    parser = argparse.ArgumentParser(description="Measure the correction of what is typed.")
    parser.add_argument("files", type=Path, nargs="+", help="JSON lines: typed, meant")
    files = parser.parse_args().files
    resources = Resources(load_settings())
    try:
        typist = EvidenceSteps(resources).typist
        for path in files:
            found = figures(read(path), lambda text: typist.invoke(text).value.text)
            print(path.name, *(f"{name} {value:g}" for name, value in found.items()))
    finally:
        resources.close()


if __name__ == "__main__":
    main()
