"""Draws what a risk is worth: reliability diagrams and risk–coverage curves, of claims and of answers, as SVG.

Every risk is out of fold, or of a set on which nothing was fitted.

    python -m eval.experiments.risk_pictures --claims tables.jsonl --answers collected.jsonl

The files are those that ``eval.experiments.entailment --tables`` and ``answer_risk_fit --collected`` have written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chains.verify.entailment import Probabilities
from eval.experiments.answer_risk_data import Marked, collected
from eval.experiments.answer_risk_fit import crossed, table
from eval.experiments.claim_fit import each_crossed, fit, learnt, told
from eval.experiments.claim_tables import LABELS, Table, kept
from eval.experiments.entailment import TRANSFER
from eval.metrics.abstention import calibration_error, risk_coverage
from eval.reports.plots import Plot, calibration, coverage, standalone


class Risked(NamedTuple):
    """Texts with whether each is wrong, and the risk that it was told to be."""

    wrong: list[bool]
    risks: list[float]


def claims(tables: Mapping[str, Table], seed: int) -> dict[str, Risked]:
    """Claims that are not supported, and ``1 − p_supported``: the fitted sets by folds, and what only measures."""
    fitted = {name: data for name, data in tables.items() if name != TRANSFER}
    found = [_claims(data, p) for _, data, p in each_crossed(fitted, seed)]
    own = Risked([w for each in found for w in each.wrong], [r for each in found for r in each.risks])
    series = {f"{len(own.risks)} pairs of the fit, out of fold": own}
    if other := tables.get(TRANSFER):
        away = _claims(other, told(other, fit(learnt(fitted))))
        series[f"{len(away.risks)} pairs of HealthVer, never fitted on"] = away
    return series


def answers(marked: Sequence[Marked], seed: int) -> dict[str, Risked]:
    """Answers that are not useful, with the risk by weights fitted on the other folds."""
    of = table(marked)
    series = Risked((1 - of.useful).tolist(), (1 - crossed(of, seed)).tolist())
    return {f"{len(marked)} questions as people type them, out of fold": series}


def plots(series: Mapping[str, Risked], what: str) -> dict[str, Plot]:
    """Both pictures by the names of their files."""
    dots = {name: calibration(*each) for name, each in series.items()}
    curves = {name: coverage(*each) for name, each in series.items()}
    return {
        f"reliability-{what}": Plot(f"Reliability of {what}", "risk told", "share wrong", dots, diagonal=True),
        f"risk-coverage-{what}": Plot(
            f"Risk–coverage of {what}", "share accepted, the surest first", "share wrong", curves
        ),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures of what is given, and print the figures beside them."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.risk_pictures", description=main.__doc__)
    parser.add_argument("--claims", type=Path, help="tables of pairs, JSON lines")
    parser.add_argument("--answers", type=Path, help="collected questions, JSON lines")
    parser.add_argument("--to", type=Path, default=Path("docs"), help="the folder of the pictures")
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    given = parser.parse_args(arguments)
    drawn: dict[str, dict[str, Risked]] = {}
    if given.claims:
        drawn["claims"] = claims(kept(given.claims), given.seed)
    if given.answers:
        drawn["answers"] = answers(collected(given.answers), given.seed)
    given.to.mkdir(parents=True, exist_ok=True)
    for what, series in drawn.items():
        for file, plot in plots(series, what).items():
            (given.to / f"{file}.svg").write_text(standalone(plot), encoding="utf-8")
            sys.stdout.write(f"{given.to / file}.svg\n")
        for name, each in series.items():
            error, area = calibration_error(*each), risk_coverage(*each).area
            sys.stdout.write(f"{what}, {name}: calibration error {error:.3f}, area under risk–coverage {area:.3f}\n")


def _claims(data: Table, found: Sequence[Probabilities]) -> Risked:
    return Risked([LABELS[label] != "supported" for label in data.labels], [1 - p.supported for p in found])


if __name__ == "__main__":
    main()
