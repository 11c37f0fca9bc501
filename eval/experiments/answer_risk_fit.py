"""Fits the risk of an answer on questions as people type them, whose answers are marked (``answer_risk_data``).

Weights that could only harm are held at 0: no feature may count the other way than its meaning. What the reader is told
is fitted on top, out of fold: a logistic function under a ceiling, since also of the surest answers some are not
useful. Of the questions with judged passages one half is fitted on, and the other only measures.

    python -m eval.experiments.answer_risk_fit natural.jsonl unanswerable.jsonl --write

Asking takes long: with ``--collected FILE`` a line is written as each question has been asked, and what the file has
already is not asked again. ``eval.experiments.risk_pictures`` draws from that file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains import answer_risk
from chains.answer_risk import Features
from core.odds import log_odds
from core.settings import Settings, load_settings
from eval.experiments.answer_risk_data import Marked, collect, judged, natural
from eval.metrics.abstention import calibration_error
from eval.natural import read
from eval.training.judged import asked as asked_by_patients
from graphs.resources import Resources

NAMES = ("intercept", *Features._fields)
PRIOR = {
    "intercept": 0.0,
    "p_answers": 1.0,
    "outside": -0.3,
    "unknown": -4.0,
    "lacking": -2.0,
}
"""What the weights are drawn to, and their signs: few of the questions have an unknown word, and none tells how much
it weighs."""
TOLD_PRIOR = {"intercept": 0.0, "slope": 1.0, "several": -0.5, "best": 0.8}
STRENGTH, TOLD_STRENGTH = 0.5, 0.05
FOLDS = 5
SHOWN = 1.0 - Settings.model_fields["accept_risk"].default
"""What must be told of an answer for it to be given, by default."""
Rows = NDArray[np.float64]


def matrix(marked: Sequence[Marked]) -> tuple[Rows, Rows, Rows]:
    """Features as the function takes them (questions × weights), which ask several things, and which were useful."""
    x = [[1.0, log_odds(one.features.p_answers), log_odds(one.features.outside), *one.features[2:]] for one in marked]
    several, useful = np.array([[float(one.several), float(bool(one.useful))] for one in marked]).T
    return np.array(x), several, useful


def fit(x: Rows, y: Rows) -> Rows:
    """The weights of the likeliest function near the prior, with the signs that their meaning gives them."""
    prior = np.array([PRIOR[name] for name in NAMES])

    def loss(w: Rows) -> float:
        z = x @ w
        return float(np.logaddexp(0, z).sum() - y @ z + STRENGTH * ((w - prior) ** 2).sum())

    bounds = [(None, None) if name == "intercept" else (0, None) if PRIOR[name] > 0 else (None, 0) for name in NAMES]
    return np.asarray(minimize(loss, prior, bounds=bounds).x)


def worths(x: Rows, weights: Rows) -> Rows:
    """What the function gives each row, in [0, 1]."""
    return np.asarray(1.0 / (1.0 + np.exp(-x @ weights)))


def fit_told(worth: Rows, several: Rows, y: Rows) -> Rows:
    """Intercept, slope, what several questions cost, and the ceiling of what is told: the likeliest near the prior."""
    prior = np.array(list(TOLD_PRIOR.values()))

    def loss(known: Rows) -> float:
        p = np.clip(told_of(worth, several, known), 1e-9, 1 - 1e-9)
        return float(-(y @ np.log(p) + (1 - y) @ np.log(1 - p)) + TOLD_STRENGTH * ((known - prior) ** 2).sum())

    return np.asarray(minimize(loss, prior, bounds=[(None, None), (0, None), (None, 0), (0.5, 0.99)]).x)


def told_of(worth: Rows, several: Rows, known: Rows) -> Rows:
    """What is told of each worth."""
    return np.asarray(known[3] / (1.0 + np.exp(-known[0] - known[1] * _odds(worth) - known[2] * several)))


def _odds(p: Rows) -> Rows:
    return np.array([log_odds(each) for each in p])


def crossed(x: Rows, several: Rows, y: Rows, seed: int) -> Rows:
    """The probability told of each question, by functions that were fitted without it."""
    order = np.random.default_rng(seed).permutation(len(y))
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        out = order[fold::FOLDS]
        kept = np.setdiff1d(order, out)
        weights, known = fitted(x[kept], several[kept], y[kept], seed)
        p[out] = told_of(worths(x[out], weights), several[out], known)
    return p


def fitted(x: Rows, several: Rows, y: Rows, seed: int) -> tuple[Rows, Rows]:
    """The weights of all rows, and what is told, fitted on the worth of rows that the weights had not seen."""
    order = np.random.default_rng(seed + 1).permutation(len(y))
    unseen = np.zeros(len(y))
    for fold in range(FOLDS):
        out = order[fold::FOLDS]
        unseen[out] = worths(x[out], fit(np.delete(x, out, axis=0), np.delete(y, out)))
    return fit(x, y), fit_told(unseen, several, y)


def figures(p: Rows, y: Rows) -> str:
    """A line of what is told against what was found."""
    shown = p >= SHOWN
    right = y[shown].mean() if shown.any() else float("nan")
    error = calibration_error((y == 0).tolist(), (1 - p).tolist())
    return (
        f"{len(y)} questions, {y.mean():.1%} with a useful answer; {shown.mean():.1%} answered, {right:.1%} of these "
        f"usefully; {y[shown].sum() / y.sum():.1%} of the useful answers given; calibration error {error:.3f}"
    )


def main() -> None:
    """Collect, fit, print what cross-validation and the other half say, and write the weights where asked to."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.answer_risk_fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--collected", type=Path, help="keep there what each question gave, and go on from it")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    patients = asked_by_patients()
    fit_on = [natural(one) for path in given.files for one in read(path)] + [judged(one) for one in patients[::2]]
    resources = Resources(load_settings(accept_risk=1.0, rounds=0))
    try:
        marked = asyncio.run(collect(resources, fit_on, given.collected))
        others = asyncio.run(collect(resources, [judged(one) for one in patients[1::2]], given.collected))
    finally:
        resources.close()
    x, several, y = matrix(marked)
    weights, known = fitted(x, several, y, given.seed)
    print(f"fitted on, {FOLDS} folds: {figures(crossed(x, several, y, given.seed), y)}")
    other_x, other_several, other_y = matrix(others)
    print(f"never fitted on: {figures(told_of(worths(other_x, weights), other_several, known), other_y)}")
    found = {"worth": _named(NAMES, weights), "told": _named(tuple(TOLD_PRIOR), known)}
    print(json.dumps(found))
    if given.write:
        answer_risk.FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")


def _named(names: Sequence[str], values: Rows) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


if __name__ == "__main__":
    main()
