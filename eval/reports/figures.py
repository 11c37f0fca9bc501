"""The figures of a system over its cases, each with a 95 % bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import mean, median
from typing import NamedTuple

import numpy as np

from eval.metrics import METRICS
from eval.metrics.abstention import calibration_error, risk_coverage
from eval.metrics.classification import auc, macro_f1, precision_recall_f1
from eval.metrics.statistics import bootstrap_interval
from eval.runs.experiment import Case

RESAMPLES, _LEAST, _DRAWN = 1_000, 100, 2_000_000
"""Resamples of figures that are no means; of many cases fewer, so many that no more than this are drawn in all."""
ACCEPTED = 0.5
"""A text of at least this risk counts as found to be hallucinated."""
LEVEL = 0.95


class Figure(NamedTuple):
    """A figure, the ends of its interval, and how many cases it is of."""

    value: float
    low: float
    high: float
    cases: int

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


class Kind(NamedTuple):
    """A figure's name, what it says, whether more is better, and how it is computed."""

    name: str
    doc: str
    higher_is_better: bool
    of: Callable[[Sequence[Case], int], Figure | None]


Cases = Sequence[Case]


def _share(pick: Callable[[Case], float | None]) -> Callable[[Cases, int], Figure | None]:
    """The mean of what is picked from the cases that have it."""

    def of(cases: Cases, seed: int) -> Figure | None:
        values = [float(value) for case in cases if (value := pick(case)) is not None]
        return Figure(*bootstrap_interval(values, seed), len(values)) if values else None

    return of


def _statistic(
    keep: Callable[[Case], bool], compute: Callable[[Cases], float]
) -> Callable[[Cases, int], Figure | None]:
    """What is computed from the cases kept; resamples for which it cannot be computed are left out."""

    def of(cases: Cases, seed: int) -> Figure | None:
        kept = [case for case in cases if keep(case)]
        try:
            value = compute(kept)
        except ValueError:
            return None
        random, drawn = np.random.default_rng(seed), []
        resamples = min(RESAMPLES, max(_LEAST, _DRAWN // len(kept)))
        for places in random.integers(0, len(kept), (resamples, len(kept))):
            try:
                drawn.append(compute([kept[place] for place in places]))
            except ValueError:
                continue
        low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if drawn else (value, value)
        return Figure(value, float(low), float(high), len(kept))

    return of


def risked(case: Case) -> bool:
    """Whether it is known both how risky the text was held to be and whether it is wrong."""
    return case.wrong is not None and case.risk is not None


def wrongs(cases: Cases) -> tuple[list[bool], list[float]]:
    """Of such cases whether they are wrong, and their risks."""
    return [bool(case.wrong) for case in cases], [float(case.risk or 0.0) for case in cases]


def withheld(case: Case) -> bool:
    """Whether there is a right choice, and none was made."""
    return case.right is not None and not case.answered


def _area(cases: Cases) -> float:
    answered = [case for case in cases if risked(case)]
    return risk_coverage(*wrongs(answered), withheld=len(cases) - len(answered)).area


def _judged(case: Case) -> bool:
    return case.example.hallucinated is not None and case.risk is not None


def _found(cases: Cases) -> tuple[float, float, float]:
    if not cases:
        raise ValueError("there are no cases")
    positive = [bool(case.example.hallucinated) for case in cases]
    return precision_recall_f1(positive, [(case.risk or 0.0) >= ACCEPTED for case in cases])


def _supported(case: Case) -> float | None:
    verdicts = case.line.get("verdicts") or ()
    if case.example.task == "claim" or not case.answered or not verdicts:
        return None
    return mean(float(verdict["label"] == "supported") for verdict in verdicts)


def _classes(case: Case) -> bool:
    return case.example.gold is not None and case.example.task in ("yesno", "claim")


KINDS: tuple[Kind, ...] = (
    Kind("accuracy", "right choices; choosing nothing is wrong", True, _share(lambda c: c.right)),
    Kind(
        "coverage", "questions that were answered", True,
        _share(lambda c: None if c.example.task == "claim" else c.answered),
    ),
    Kind(
        "accuracy_answered", "right choices among those made", True,
        _share(lambda c: c.right if c.answered else None),
    ),
    Kind(
        "macro_f1", "F1 of the classes, each weighing the same", True,
        _statistic(_classes, lambda cs: macro_f1([c.example.gold for c in cs], [c.choice for c in cs])),
    ),
    Kind(
        "hallucination_auc", "chance that a hallucinated text has the higher risk", True,
        _statistic(_judged, lambda cs: auc([bool(c.example.hallucinated) for c in cs], [c.risk or 0.0 for c in cs])),
    ),
    Kind(
        "length_auc", "the same, of the text's length: what a set betrays without any reading", True,
        _statistic(_judged, lambda cs: auc([bool(c.example.hallucinated) for c in cs], [len(c.text) for c in cs])),
    ),
    Kind("hallucination_precision", f"at risk {ACCEPTED}", True, _statistic(_judged, lambda cs: _found(cs)[0])),
    Kind("hallucination_recall", f"at risk {ACCEPTED}", True, _statistic(_judged, lambda cs: _found(cs)[1])),
    Kind("hallucination_f1", f"at risk {ACCEPTED}", True, _statistic(_judged, lambda cs: _found(cs)[2])),
    Kind(
        "risk_auc", "chance that a wrong answer has the higher risk", True,
        _statistic(risked, lambda cs: auc(*wrongs(cs))),
    ),
    Kind(
        "calibration_error", "distance of told risk from the share that is wrong", False,
        _statistic(risked, lambda cs: calibration_error(*wrongs(cs))),
    ),
    Kind(
        "risk_coverage_area", "share wrong, averaged over how many are answered, the surest first, the unanswered last",
        False,
        _statistic(lambda c: risked(c) or withheld(c), _area),
    ),
    Kind(
        "claims_joined", "claims whose concepts the graph joins", True,
        _share(lambda c: c.line.get("joined")),
    ),
    Kind("claims_supported", "claims of an answer that its evidence supports", True, _share(_supported)),
)  # fmt: skip
"""What is computed from decisions and risks."""
_DECIDED = frozenset(kind.name for kind in KINDS)
"""Of all cases: a score that was kept of some does not take the place of these."""


def figures(cases: Cases, seed: int, wanted: Collection[str] | None = None) -> dict[str, Figure]:
    """Every figure that these cases have, or those of them that are wanted: none where all cases have failed."""
    if all(case.failed for case in cases):
        return {}
    found = {kind.name: kind.of(cases, seed) for kind in KINDS if wanted is None or kind.name in wanted}
    scored = dict.fromkeys(name for case in cases for name in case.scores if name not in _DECIDED)
    names = [name for name in scored if wanted is None or name in wanted]
    found |= {name: _share(lambda case, name=name: case.scores.get(name))(cases, seed) for name in names}  # type: ignore[misc]  # a default binds the name
    return {name: figure for name, figure in found.items() if figure is not None}


def accuracy(cases: Cases, seed: int) -> Figure | None:
    """The share of right choices alone."""
    return KINDS[0].of(cases, seed)


def higher_is_better(name: str) -> bool:
    """Whether more of a figure is better."""
    known = {kind.name: kind.higher_is_better for kind in KINDS}
    return known[name] if name in known else name not in METRICS or METRICS[name].higher_is_better


def doc(name: str) -> str:
    """What a figure says."""
    known = {kind.name: kind.doc for kind in KINDS}
    return known[name] if name in known else METRICS[name].doc if name in METRICS else ""


def costs(cases: Cases) -> Mapping[str, str]:
    """What the cases took: median seconds, tokens, price."""
    done = [case.line for case in cases if not case.failed]
    usage = [line.get("usage") or {} for line in done]
    tokens = sum(u.get("input_tokens", 0) + u.get("output_tokens", 0) for u in usage)
    return {
        "cases": f"{len(cases):,}",
        "failed": f"{sum(case.failed for case in cases):,}",
        "why": next((case.text for case in cases if case.failed), ""),
        "median seconds": f"{median(line.get('seconds', 0.0) for line in done):.2f}" if done else "–",
        "tokens": f"{tokens:,}",
        "cost": f"{sum(u.get('cost', 0.0) for u in usage):.2f}",
    }
