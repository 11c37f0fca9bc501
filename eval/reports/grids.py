"""The tables of a report, as text that pages and Markdown show alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from eval.metrics.nmiss import outperformance
from eval.metrics.statistics import Difference, paired, welch
from eval.reports.figures import KINDS, Figure, accuracy, costs, doc, figures, higher_is_better
from eval.runs.experiment import Case, Experiment

NOT_AVAILABLE = "not available"
_FEW = 5
"""Subjects with fewer questions have no row of their own."""
LEADS = ("accuracy", "hallucination_auc", "rougeL_f1", "bleu4", "claims_supported")
"""What two systems are compared by: the first of these that both have."""


class Grid(NamedTuple):
    """A table: what it is about, its header, its rows; ``best`` are the places of the best cells."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    best: frozenset[tuple[int, int]] = frozenset()


def grids(experiment: Experiment) -> Iterator[Grid]:
    """Every table that an experiment has something for."""
    found = {name: figures(cases, experiment.seed) for name, cases in experiment.systems.items()}
    decided = {kind.name for kind in KINDS}
    names = list(dict.fromkeys(name for own in found.values() for name in own))
    asked = experiment.manifest.get("metrics", {}).get("names", ())
    yield from _main("Decisions and risk", found, [name for name in names if name in decided])
    texts = dict.fromkeys(name for name in (*asked, *names) if name not in decided)
    yield from _main("Texts against references and contexts", found, list(texts))
    yield from _by(experiment, "subject")
    yield from _by(experiment, "level")
    yield from _outperformance(experiment)
    yield from differences(experiment)
    if any(case.failed or "seconds" in case.line for cases in experiment.systems.values() for case in cases):
        yield Grid(
            "What it took",
            ("system", *next(iter(map(costs, experiment.systems.values())), {})),
            [(name, *costs(cases).values()) for name, cases in experiment.systems.items()],
        )


def _main(title: str, found: Mapping[str, Mapping[str, Figure]], names: Sequence[str]) -> Iterator[Grid]:
    if not names:
        return
    rows = [(name, *(str(own.get(name, NOT_AVAILABLE)) for own in found.values()), doc(name)) for name in names]
    best = frozenset((row, 1 + place) for row, name in enumerate(names) for place in _best(name, list(found.values())))
    note = "A figure with its 95 % bootstrap interval."
    yield Grid(title, ("metric", *found, "what it says"), rows, note, best)


def _best(name: str, found: Sequence[Mapping[str, Figure]]) -> list[int]:
    values = {place: own[name].value for place, own in enumerate(found) if name in own}
    if len(values) < 2:
        return []
    top = (max if higher_is_better(name) else min)(values.values())
    best = [place for place, value in values.items() if value == top]
    return best if len(best) < len(values) else []


def _by(experiment: Experiment, what: str) -> Iterator[Grid]:
    """Accuracy of each subject, or each level of difficulty."""
    values: dict[str, int] = {}
    cases = [case for own in experiment.systems.values() for case in own if case.right is not None]
    for case in cases:
        name = getattr(case.example, what)
        values[name] = values.get(name, 0) + 1
    kept = sorted(name for name, count in values.items() if name and count >= _FEW * len(experiment.systems))
    if len(kept) < 2:
        return
    rows = []
    for name in kept:
        of = {s: [c for c in own if getattr(c.example, what) == name] for s, own in experiment.systems.items()}
        shown = [str(accuracy(own, experiment.seed) or NOT_AVAILABLE) for own in of.values()]
        rows.append((name, str(len(next(iter(of.values())))), *shown))
    yield Grid(f"Accuracy by {what}", (what, "questions", *experiment.systems), rows)


def _outperformance(experiment: Experiment) -> Iterator[Grid]:
    """How often NMISS is above its base metric, of cases whose text is not known to be hallucinated."""
    cases = [case for own in experiment.systems.values() for case in own]
    names = dict.fromkeys(name for case in cases for name in case.scores if name.startswith("nmiss_"))
    rows = [(name, *(_raised(own, name) for own in experiment.systems.values())) for name in names]
    if rows:
        note = "The share of texts not known to be hallucinated whose base score is above 0 and below 0.99."
        yield Grid("NMISS above its base metric", ("metric", *experiment.systems), rows, note)


def _raised(cases: Sequence[Case], name: str) -> str:
    won = outperformance(
        [case.scores.get(name.removeprefix("nmiss_")) for case in cases],
        [case.scores.get(name) for case in cases],
        [bool(case.wrong) for case in cases],
        [case.example.level for case in cases],
    )
    if won is None:
        return NOT_AVAILABLE
    levels = ", ".join(f"{level} {share:.1%}" for level, share in won.by_level.items() if level)
    return f"{won.overall:.1%}" + (f" ({levels})" if levels else "")


def differences(experiment: Experiment) -> Iterator[Grid]:
    """Every other system against the first, on the cases that both have; on all of them where they share none."""
    first, *others = experiment.systems
    rows = []
    for other in others:
        tests = (_tested(experiment.systems[first], experiment.systems[other], lead, experiment.seed) for lead in LEADS)
        if found := next(filter(None, tests), None):
            test, lead, cases = found
            rows.append((f"{other} less {first}", lead, cases, f"{test.difference:+.3f}", f"{test.p:.4f}"))
    if rows:
        note = "A permutation test of the paired differences, or Welch's test where no case is shared; p is two-sided."
        yield Grid("Differences", ("systems", "metric", "cases", "difference", "p"), rows, note)


def _tested(first: Sequence[Case], second: Sequence[Case], lead: str, seed: int) -> tuple[Difference, str, str] | None:
    """The second less the first by a metric, its name, and of how many cases."""
    pairs = [(a, b) for _, a, b in compared(first, second, lead)]
    if len(pairs) > 1:
        return paired([b for _, b in pairs], [a for a, _ in pairs], seed), lead, f"{len(pairs):,}"
    one, two = ([x for case in own if (x := value(case, lead)) is not None] for own in (first, second))
    if {case.example.id for case in first} & {case.example.id for case in second} or min(len(one), len(two)) < 2:
        return None
    return welch(two, one), lead, f"{len(one):,} and {len(two):,}"


def compared(
    first: Sequence[Case], second: Sequence[Case], lead: str
) -> Iterator[tuple[tuple[Case, Case], float, float]]:
    """The cases of the same example with both systems' values of a metric of cases."""
    there = {case.example.id: case for case in second}
    for case in first:
        other = there.get(case.example.id)
        if other is not None and (a := value(case, lead)) is not None and (b := value(other, lead)) is not None:
            yield (case, other), a, b


def value(case: Case, name: str) -> float | None:
    """A metric of one case."""
    if name == "accuracy":
        return None if case.right is None else float(case.right)
    if name == "claims_supported":
        verdicts = case.line.get("verdicts") or ()
        return sum(v["label"] == "supported" for v in verdicts) / len(verdicts) if verdicts else None
    if name == "hallucination_auc":  # of one text: how near its risk is to the truth
        known = case.example.hallucinated
        return None if known is None or case.risk is None else 1.0 - abs(float(known) - case.risk)
    return case.scores.get(name)
