"""Metrics that compare one text with others: what NMISS is put on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eval.metrics.scorers import Scorers


class Pair(NamedTuple):
    """A text, the texts that it is compared with (the best one counts), and their language."""

    text: str
    targets: tuple[str, ...]
    language: str


Compare = Callable[[Sequence[Pair], Scorers], list[dict[str, float]]]
"""Of each pair the figures by name, every name of the metric in each."""
