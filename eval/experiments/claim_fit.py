"""The fit of the verifier's one function over tables of pairs, and what it says of pairs that it was not fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import minimize

from chains.verify import entailment
from chains.verify.entailment import Coefficients, Probabilities
from core.schema import Label
from eval.experiments.claim_tables import LABELS, Matrix, Table, features, joined

PENALTY = 3.0
"""Weight of the squared coefficients, intercepts left out; figures move by less than 0.01 between 3 and 30."""

FOLDS = 5
PUBLISHED, TIMES = "scifact", 10
"""Tables of published claims, and how often they count: they are one pair in ninety, and alone show what papers say."""


def fit(data: Table, penalty: float = PENALTY) -> Coefficients:
    """Multinomial logistic regression with every class weighing the same; the third class is the reference."""
    names, values = features(data.signals)
    means, scales = np.nanmean(values, axis=0), np.nanstd(values, axis=0) + 1e-9
    standard = np.nan_to_num((values - means) / scales)
    inputs = np.column_stack([standard, np.ones(len(standard))])
    weights = (len(data.labels) / len(LABELS) / np.bincount(data.labels, minlength=len(LABELS)))[data.labels]
    targets = np.eye(len(LABELS))[data.labels]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        free = flat.reshape(inputs.shape[1], 2)
        logits = np.column_stack([inputs @ free, np.zeros(len(inputs))])
        logits -= logits.max(axis=1, keepdims=True)
        exponents = np.exp(logits)
        probabilities = exponents / exponents.sum(axis=1, keepdims=True)
        value = -(weights * np.log((probabilities * targets).sum(axis=1) + 1e-12)).sum()
        gradient = inputs.T @ (weights[:, None] * (probabilities - targets))[:, :2]
        gradient[:-1] += penalty * free[:-1]
        return float(value + penalty / 2 * (free[:-1] ** 2).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(inputs.shape[1] * 2), jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    free = found.x.reshape(inputs.shape[1], 2)
    return Coefficients(
        names,
        tuple(means.tolist()),
        tuple(scales.tolist()),
        tuple(free[:-1, 0].tolist()),
        tuple(free[:-1, 1].tolist()),
        (float(free[-1, 0]), float(free[-1, 1])),
        (_right(data, "stated_support", 0), _right(data, "stated_contradiction", 1)),
    )


def _right(data: Table, signal: str, label: int) -> float:
    """How often the rule is right where it speaks and no support is vetoed, by Laplace's rule of succession."""
    spoken = [
        gold == label
        for signals, gold in zip(data.signals, data.labels, strict=True)
        if signals.get(signal) and not (label == 0 and entailment.vetoed(signals))
    ]
    return float(sum(spoken) + 1) / (len(spoken) + 2)


def learnt(tables: Mapping[str, Table]) -> Table:
    """The rows that a fit is made on: those of every table in their order, then again those that count more."""
    again = [data for name, data in tables.items() if name.startswith(PUBLISHED)]
    return joined([*tables.values(), *again * (TIMES - 1)])


def told(data: Table, fitted: Coefficients) -> list[Probabilities]:
    """The probabilities of each row, rules included."""
    return [entailment.entailment(signals, fitted) for signals in data.signals]


def decide(told: Sequence[Probabilities]) -> list[Label]:
    """The likeliest label of each row."""
    scores = [(p.supported, p.contradicted, p.neither) for p in told]
    return [LABELS[each.index(max(each))] for each in scores]


def cross_validated(data: Table, seed: int) -> list[Probabilities]:
    """Of each row by coefficients fitted on the other folds, which part by group."""
    names = sorted(set(data.groups))
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[place]: number % FOLDS for number, place in enumerate(order)}
    own = np.array([fold[group] for group in data.groups])
    found = [Probabilities(0.0, 0.0)] * len(own)
    for held in range(FOLDS):
        fitted = fit(data.where(own != held))
        for place, p in zip(np.flatnonzero(own == held), told(data.where(own == held), fitted), strict=True):
            found[place] = p
    return found


def each_crossed(tables: Mapping[str, Table], seed: int) -> Iterator[tuple[str, Table, list[Probabilities]]]:
    """Each table with its probabilities by folds over all of them: one claim is in one fold, whatever the table."""
    found = cross_validated(learnt(tables), seed)
    start = 0
    for name, data in tables.items():
        end = start + len(data.groups)
        yield name, data, found[start:end]
        start = end
