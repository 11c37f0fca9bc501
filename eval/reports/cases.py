"""Which cases a report shows: the worst of a system, and those that two systems decide differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eval.reports.grids import LEADS, compared, value
from eval.runs.experiment import Case, Experiment

SHOWN = 20
_CLEAR = 0.1
"""Scores that differ by less are not told apart."""


class Pairing(NamedTuple):
    """Two systems on the same examples: where the second is better, and where it is worse, the clearest first."""

    first: str
    second: str
    lead: str
    won: Sequence[tuple[Case, Case]]
    lost: Sequence[tuple[Case, Case]]


def worst(cases: Sequence[Case]) -> list[Case]:
    """Wrong answers that were held to be safe, the safest first; otherwise the lowest scores."""
    wrong = [case for case in cases if case.wrong and case.risk is not None]
    if wrong:
        return sorted(wrong, key=lambda case: case.risk or 0.0)[:SHOWN]
    for lead in LEADS:
        scored = [(found, place, case) for place, case in enumerate(cases) if (found := value(case, lead)) is not None]
        if scored:
            return [case for _, _, case in sorted(scored)[:SHOWN]]
    return []


def pairings(first: Experiment, second: Experiment) -> list[Pairing]:
    """Each system of the second experiment against the one of its name in the first, or the first one.

    Within one experiment: every system against its first.
    """
    base, *others = first.systems
    if first is second:
        return [found for other in others if (found := _pairing(first, base, first, other))]
    made = (_pairing(first, name if name in first.systems else base, second, name) for name in second.systems)
    return [found for found in made if found]


def _pairing(one: Experiment, first: str, other: Experiment, second: str) -> Pairing | None:
    for lead in LEADS:
        triples = list(compared(one.systems[first], other.systems[second], lead))
        if triples:
            ordered = sorted(triples, key=lambda triple: triple[2] - triple[1])
            lost = [pair for pair, a, b in ordered if a - b > _CLEAR][:SHOWN]
            won = [pair for pair, a, b in reversed(ordered) if b - a > _CLEAR][:SHOWN]
            labels = (first, second) if one is other else (f"{first} ({one.name})", f"{second} ({other.name})")
            return Pairing(*labels, lead, won, lost)
    return None
