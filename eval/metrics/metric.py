"""What a metric is called, needs and says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from eval.metrics.record import Scored
from eval.metrics.scorers import Scorers

Need = Literal["encoder", "linker", "model", "log-probabilities", "verifier"]
Column: TypeAlias = "list[float | None]"
"""A figure a record; None where it is not available."""
Measure = Callable[[Sequence[Scored], Scorers], Column]


class Metric(NamedTuple):
    """A metric: what it says, which collaborator it needs, and whether more of it is better."""

    doc: str
    need: Need | None = None
    higher_is_better: bool = True

    def available(self, by: Scorers) -> bool:
        """Whether there is what it needs."""
        there = {
            "encoder": by.encoder,
            "linker": by.link,
            "model": by.model,
            "log-probabilities": by.log_probabilities,
            "verifier": by.claims and by.supports,
        }
        return self.need is None or there[self.need] is not None


def spread(count: int, places: Sequence[int], values: Sequence[float | None]) -> Column:
    """Values in their places, None in all others."""
    column: Column = [None] * count
    for place, value in zip(places, values, strict=True):
        column[place] = value
    return column
