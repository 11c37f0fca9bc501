"""What any system must beat: one and the same choice for every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eval.datasets import Example
from eval.runs.experiment import Case


def commonest(examples: Sequence[Example]) -> str:
    """The right choice that these examples have most often; ValueError where none has one."""
    counts = Counter(example.gold for example in examples if example.gold is not None)
    if not counts:
        raise ValueError("no example says what is right: there is no majority")
    return counts.most_common(1)[0][0]


def always(examples: Sequence[Example], choice: str) -> list[Case]:
    """The examples as one who always chooses this decides them."""
    return [Case(example, {"text": choice, "choice": choice}) for example in examples]
