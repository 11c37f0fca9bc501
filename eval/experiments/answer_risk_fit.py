"""Fits the risk of an answer on questions as people type them, whose answers are marked (``answer_risk_data``).

Questions are natural ones of files, patients' ones, and with ``--judged`` some whose passages were graded.
Weights that could only harm are held at 0: no feature may count the other way than its meaning. What the reader is told
is fitted on top, out of fold: a logistic function under a ceiling, since also of the surest answers some are not
useful. Of the questions with judged passages one half is fitted on, and the other only measures.

    python -m eval.experiments.answer_risk_fit eval/data/sets/natural.*.jsonl --judged --write

Asking takes long: with ``--collected FILE`` a line is written as each question has been asked, and what the file has
already is not asked again; without questions it is fitted on those that the file has.
``eval.experiments.risk_pictures`` draws from that file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains import answer_risk
from chains.answer_risk import Features
from core.odds import log_odds
from core.settings import Settings, load_settings
from eval.experiments.answer_risk_data import Marked, collect, collected, judged, natural
from eval.metrics.abstention import calibration_error
from eval.natural import read
from eval.training.judged import asked as asked_by_patients
from eval.training.judged import judged as judged_questions
from eval.training.judged import unlearnt
from graphs.resources import Resources

NAMES = ("intercept", *Features._fields)
PRIOR = {
    "intercept": 0.0,
    "p_answers": 1.0,
    "outside": -0.3,
    "unknown": -4.0,
    "lacking": -2.0,
    "answered": 2.0,
    "classed": -1.0,
    "recorded": 1.0,
}
"""What the weights are drawn to, and their signs: few of the questions have an unknown word, or are answered
by a vocabulary."""
LEAST = {"lacking": -0.5, "outside": -0.05}
"""What a text that lacks the name of what is asked about loses at least, and one to a question that no general text
answers: few of the questions fitted on are such."""
TOLD_PRIOR = {"intercept": 0.0, "worth": 0.7, "reads": 0.3, "near": 1.0, "unnamed": -2.0, "side": -0.5, "best": 0.9}
LEAST_SIDE = -0.2
"""What an answer to one side of a comparison loses at least: what is told of each may compare nothing."""
TOLD_BOUNDS = {"intercept": (None, None), "unnamed": (None, 0.0), "side": (None, LEAST_SIDE), "best": (0.5, 0.95)}
"""Where not at least 0. Of the answers told to be surest, no more than so many were found useful."""
STRENGTH, TOLD_STRENGTH = 0.5, 0.15
FOLDS = 5
DRAWS = 200
SHOWN = 1.0 - Settings.model_fields["accept_risk"].default
"""What must be told of an answer for it to be given, by default."""
Rows = NDArray[np.float64]


class Table(NamedTuple):
    """Questions as the two functions take them; of several parts, a row each, where ``starts`` says the first."""

    x: Rows
    """Features of ``worth``, parts × weights."""
    said: Rows
    """What the answer says, parts × what ``Said`` has."""
    starts: NDArray[np.int64]
    useful: Rows

    def of(self, questions: NDArray[np.int64]) -> Table:
        """Some of the questions."""
        ends = [*self.starts[1:], len(self.x)]
        rows = [np.arange(self.starts[n], ends[n]) for n in questions]
        starts = np.cumsum([0, *map(len, rows)])[:-1]
        kept = np.concatenate(rows)
        return Table(self.x[kept], self.said[kept], starts, self.useful[questions])


def table(marked: Sequence[Marked]) -> Table:
    """The questions as the functions take them."""
    parts = [part for one in marked for part in one.parts]
    x = [[1.0, log_odds(p.features.p_answers), log_odds(p.features.outside), *p.features[2:]] for p in parts]
    starts = np.cumsum([0, *(len(one.parts) for one in marked)])[:-1]
    return Table(
        np.array(x), np.array([p.said for p in parts]), starts, np.array([float(o.useful or 0.0) for o in marked])
    )


def fit(x: Rows, y: Rows) -> Rows:
    """The weights of the likeliest function near the prior, with the signs that their meaning gives them."""
    prior = np.array([PRIOR[name] for name in NAMES])

    def loss(w: Rows) -> float:
        z = x @ w
        return float(np.logaddexp(0, z).sum() - y @ z + STRENGTH * ((w - prior) ** 2).sum())

    most = {**dict.fromkeys(NAMES, 0.0), **LEAST}
    signed = [(0, None) if PRIOR[name] > 0 else (None, most[name]) for name in NAMES[1:]]
    bounds = [(None, None), *signed]
    return np.asarray(minimize(loss, prior, bounds=bounds).x)


def worths(x: Rows, weights: Rows) -> Rows:
    """What the function gives each row, in [0, 1]."""
    return np.asarray(1.0 / (1.0 + np.exp(-x @ weights)))


def fit_told(worth: Rows, of: Table) -> Rows:
    """What the worth of the evidence and the text weigh, and the ceiling of what is told: near the prior."""
    prior, y = np.array(list(TOLD_PRIOR.values())), of.useful

    def loss(known: Rows) -> float:
        p = np.clip(told_of(worth, of, known), 1e-9, 1 - 1e-9)
        return float(-(y @ np.log(p) + (1 - y) @ np.log(1 - p)) + TOLD_STRENGTH * ((known - prior) ** 2).sum())

    bounds = [TOLD_BOUNDS.get(name, (0.0, None)) for name in TOLD_PRIOR]
    return np.asarray(minimize(loss, prior, bounds=bounds).x)


def told_of(worth: Rows, of: Table, known: Rows) -> Rows:
    """What is told of each question: of several parts, that of the one that is told of least."""
    z = known[0] + known[1] * _odds(worth) + of.said @ known[2:-1]
    return np.asarray(np.minimum.reduceat(known[-1] / (1.0 + np.exp(-z)), of.starts))


def _odds(p: Rows) -> Rows:
    return np.array([log_odds(each) for each in p])


def crossed(of: Table, seed: int) -> Rows:
    """The probability told of each question, by functions that were fitted without it."""
    p = np.zeros(len(of.useful))
    for out in _folds(len(p), seed):
        weights, known = fitted(of.of(np.setdiff1d(np.arange(len(p)), out)), seed)
        left = of.of(out)
        p[out] = told_of(worths(left.x, weights), left, known)
    return p


def fitted(of: Table, seed: int) -> tuple[Rows, Rows]:
    """The weights of all questions of one part, and what is told, fitted on worths that the weights had not seen."""
    alone = _of_one_part(of)
    unseen = np.zeros(len(of.x))
    for out in _folds(len(of.useful), seed + 1):
        left = of.of(out)
        weights = _weights(of.of(np.setdiff1d(np.arange(len(of.useful)), out)))
        ends = [*of.starts[1:], len(of.x)]
        unseen[np.concatenate([np.arange(of.starts[n], ends[n]) for n in out])] = worths(left.x, weights)
    return fit(alone.x, alone.useful), fit_told(unseen, of)


def _weights(of: Table) -> Rows:
    alone = _of_one_part(of)
    return fit(alone.x, alone.useful)


def _of_one_part(of: Table) -> Table:
    lengths = np.diff([*of.starts, len(of.x)])
    return of.of(np.flatnonzero(lengths == 1))


def _folds(count: int, seed: int) -> list[NDArray[np.int64]]:
    order = np.random.default_rng(seed).permutation(count)
    return [order[fold::FOLDS] for fold in range(FOLDS)]


def true_error(p: Rows, seed: int = 0) -> float:
    """The calibration error at the mean of answers whose chances are just what is told: few answers show some."""
    found = np.random.default_rng(seed).random((DRAWS, len(p))) < p
    return float(np.mean([calibration_error((1.0 - drawn).tolist(), (1 - p).tolist()) for drawn in found]))


def figures(p: Rows, y: Rows) -> str:
    """A line of what is told against what was found."""
    shown = p >= SHOWN
    right = y[shown].mean() if shown.any() else float("nan")
    error = calibration_error((1 - y).tolist(), (1 - p).tolist())
    told = p[shown].mean() if shown.any() else float("nan")
    return (
        f"{len(y)} questions, {y.mean():.1%} with a useful answer; {shown.mean():.1%} answered, {right:.1%} of these "
        f"usefully (told {told:.1%}); {y[shown].sum() / y.sum():.1%} of the useful answers given; calibration error "
        f"{error:.3f} (were all that is told true: {true_error(p):.3f})"
    )


def main() -> None:
    """Collect, fit, print what cross-validation and the other half say, and write the weights where asked to."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.answer_risk_fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judged", type=int, default=0, help="judged questions that no reader learned from, at most")
    parser.add_argument("--collected", type=Path, help="keep there what each question gave, and go on from it")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if not given.files and not given.collected:
        parser.error("name files of questions, or with --collected what was asked before")
    patients = asked_by_patients()
    graded = unlearnt(judged_questions())
    drawn = random.Random(given.seed).sample(graded, min(given.judged, len(graded)))
    fit_on = [natural(one) for path in given.files for one in read(path)]
    fit_on += [judged(one) for one in [*patients[::2], *drawn]]
    resources = Resources(load_settings(accept_risk=1.0, rounds=0))
    try:
        others = asyncio.run(collect(resources, [judged(one) for one in patients[1::2]], given.collected))
        marked = asyncio.run(collect(resources, fit_on, given.collected)) if given.files else collected(given.collected)
    finally:
        resources.close()
    apart = {one.question for one in others}
    marked = [one for one in marked if one.question not in apart]
    known_of, other = table(marked), table(others)
    weights, told = fitted(known_of, given.seed)
    print(f"fitted on, {FOLDS} folds: {figures(crossed(known_of, given.seed), known_of.useful)}")
    print(f"never fitted on: {figures(told_of(worths(other.x, weights), other, told), other.useful)}")
    answered, reads = float(known_of.x[:, NAMES.index("answered")].mean()), float(known_of.said[:, 0].mean())
    found = {
        "worth": {**_named(NAMES, weights), "answered_missing": round(answered, 4)},
        "told": {**_named(tuple(TOLD_PRIOR), told), "reads_missing": round(reads, 4)},
    }
    print(json.dumps(found))
    if given.write:
        answer_risk.FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")


def _named(names: Sequence[str], values: Rows) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


if __name__ == "__main__":
    main()
