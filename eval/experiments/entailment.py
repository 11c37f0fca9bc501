"""The verifier's one fitted function: fit it, and measure it by folds, on HealthVer and on MedHallu.

It is fitted on what the reader that has learned never saw: the pairs of ``eval/data/written`` whose passages are kept
out, and the fifth of SciFact's training claims (CC BY 4.0, abstracts ODC-By 1.0) that are, each against the abstract it
cites and against single sentences of it. HealthVer and MedHallu only measure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains.claims import split_claims, triple
from chains.verify import entailment, verify
from chains.verify.entailment import Coefficients
from chains.verify.finding import Encode, Learned, examine
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.rarity import Rarity
from core.schema import Claim, Label
from core.settings import load_settings
from eval.experiments.reading import Collaborators, collaborators
from eval.experiments.verification_data import Pair, healthver, medhallu, scifact, scifact_sentences, written_pairs
from eval.metrics.classification import auc, f1_by_class, macro_f1
from eval.training.scifact import kept_out

FEATURES = (
    "containment_titled",
    "containment_passage",
    "containment_reverse",
    "missing_rare",
    "similarity",
    "counter_margin",
    "opposition",
    "opposed_similarity",
    "agreement",
    "claim_negated",
    "hedging",
    "evidence_length",
    "similarity_by_length",
    "missing_rare_by_length",
    "containment_passage_by_length",
    "number_conflict",
    "stated_support",
    "stated_contradiction",
    "relation_match",
    "frame_conflict",
    "scope_conflict",
    "joined",
    "reversed_roles",
    "leans",
    "framed",
    "limited",
    "doubted",
    "read_support",
    "read_contradiction",
    "read_support_by_length",
    "read_contradiction_by_length",
)
LABELS: tuple[Label, ...] = ("supported", "contradicted", "unverifiable")
PENALTY = 3.0
"""Weight of the squared coefficients, intercepts left out; figures move by less than 0.01 between 3 and 30."""

FOLDS = 5
_TARGET = Path(entailment.__file__).with_name("coefficients.json")

Matrix = NDArray[np.float64]


class Table(NamedTuple):
    """Pairs as numbers: their signals, features (pairs × features, NaN where not available), labels and groups."""

    signals: list[Mapping[str, float | None]]
    features: Matrix
    labels: NDArray[np.int64]
    groups: list[str]

    def where(self, chosen: NDArray[np.bool_]) -> Table:
        """The chosen rows."""
        places = np.flatnonzero(chosen)
        signals, groups = [self.signals[i] for i in places], [self.groups[i] for i in places]
        return Table(signals, self.features[chosen], self.labels[chosen], groups)


def table(
    pairs: Sequence[Pair],
    encode: Encode,
    rarity: Rarity,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
) -> Table:
    """The features of each pair, as verification computes them."""
    measured: list[Mapping[str, float | None]] = []
    rows: list[list[float]] = []
    for pair in pairs:
        subject, predicate, object_ = triple(pair.claim)
        claim = Claim(text=pair.claim, span=(0, len(pair.claim)), subject=subject, predicate=predicate, object=object_)
        signals = examine([claim], [pair.evidence], encode, rarity, vocabulary, learned)[0][0].signals
        measured.append(signals)
        made = entailment.features(signals)
        values = (made[name] for name in FEATURES)
        rows.append([np.nan if value is None else value for value in values])
    labels = np.array([LABELS.index(pair.label) for pair in pairs])
    return Table(measured, np.array(rows), labels, [pair.group for pair in pairs])


def fit(data: Table, penalty: float = PENALTY) -> Coefficients:
    """Multinomial logistic regression with every class weighing the same; the third class is the reference."""
    means, scales = np.nanmean(data.features, axis=0), np.nanstd(data.features, axis=0) + 1e-9
    standard = np.nan_to_num((data.features - means) / scales)
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
        FEATURES,
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


def decide(data: Table, fitted: Coefficients) -> list[Label]:
    """The likeliest label of each row, rules included."""
    decided: list[Label] = []
    for signals in data.signals:
        found = entailment.entailment(signals, fitted)
        scores = (found.supported, found.contradicted, found.neither)
        decided.append(LABELS[scores.index(max(scores))])
    return decided


def cross_validated(measured: Table, beside: Table, seed: int) -> list[Label]:
    """Labels of the measured rows by coefficients fitted on the other folds of both tables; folds part by claim."""
    names = sorted({*measured.groups, *beside.groups})
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[place]: number % FOLDS for number, place in enumerate(order)}
    own, other = (np.array([fold[group] for group in data.groups]) for data in (measured, beside))
    labels: list[Label] = ["unverifiable"] * len(own)
    for held in range(FOLDS):
        fitted = fit(joined(measured.where(own != held), beside.where(other != held)))
        for place, label in zip(np.flatnonzero(own == held), decide(measured.where(own == held), fitted), strict=True):
            labels[place] = label
    return labels


def _drawn(pairs: Sequence[Pair], number: int | None, rng: np.random.Generator) -> list[Pair]:
    return [pairs[i] for i in rng.permutation(len(pairs))[:number]] if number else list(pairs)


def joined(one: Table, other: Table) -> Table:
    """Both tables, one under the other."""
    return Table(
        one.signals + other.signals,
        np.concatenate([one.features, other.features]),
        np.concatenate([one.labels, other.labels]),
        one.groups + other.groups,
    )


def hallucination_auc(file: Path, by: Collaborators) -> dict[str, float]:
    """AUC over MedHallu's answers of the mean risk of their claims, and of their length, which betrays them."""
    risks: list[float] = []
    lengths: list[int] = []
    hallucinated: list[bool] = []
    for answer, knowledge, false in medhallu(file):
        claims = split_claims(answer)
        verdicts = verify(claims, knowledge, **by._asdict())
        risks.append(float(np.mean([verdict.risk for verdict in verdicts])) if verdicts else 1.0)
        lengths.append(len(answer))
        hallucinated.append(false)
    return {"risk": auc(hallucinated, risks), "length": auc(hallucinated, lengths)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the verifier's coefficients and print the figures they reach; --write replaces the committed file."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.entailment", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of scifact, healthver and medhallu")
    parser.add_argument("--n", type=int, help="pairs drawn of each set; all where it is left out")
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    parser.add_argument("--write", action="store_true", help="replace chains/verify/coefficients.json")
    parser.add_argument("--without-medhallu", action="store_true", help="leave out the slowest measurement")
    given = parser.parse_args(arguments)
    settings = load_settings()
    by = collaborators(settings.home, settings.threads)
    rng = np.random.default_rng(given.seed)
    scifact_folder = given.data / "scifact"
    kept, abstracts, sentences, transfer = (
        table(_drawn(pairs, given.n, rng), *by)
        for pairs in (
            written_pairs(),
            [pair for pair in scifact(scifact_folder) if kept_out(int(pair.group))],
            [pair for pair in scifact_sentences(scifact_folder) if kept_out(int(pair.group))],
            healthver(given.data / "healthver" / "healthver_dev.csv"),
        )
    )
    tables = {"written_pairs": kept, "scifact_abstracts": abstracts, "scifact_sentences": sentences}
    fitted = fit(reduce(joined, tables.values()))
    figures = {
        f"{name}_cv5_macro_f1": _report(f"{name}, {FOLDS} folds", data, cross_validated(data, others, given.seed))
        for name, data in tables.items()
        for others in (reduce(joined, (other for other in tables.values() if other is not data)),)
    }
    figures["healthver_transfer_macro_f1"] = _report("HealthVer, transferred", transfer, decide(transfer, fitted))
    if given.write:
        _write(fitted, figures, given.seed)
    if not given.without_medhallu:
        found = hallucination_auc(given.data / "medhallu" / "dev.jsonl", by)
        _say(
            f"MedHallu, zero-shot: AUC {found['risk']:.3f} by risk; {found['length']:.3f} by the answer's length alone"
        )


def _report(name: str, data: Table, decided: Sequence[Label]) -> float:
    gold = [LABELS[i] for i in data.labels]
    score = macro_f1(gold, decided)
    by_class = ", ".join(f"{label} {value:.3f}" for label, value in f1_by_class(gold, decided).items())
    _say(f"{name}: macro-F1 {score:.3f} over {len(gold)} pairs ({by_class})")
    return round(score, 3)


def _write(fitted: Coefficients, figures: dict[str, float], seed: int) -> None:
    columns = (fitted.means, fitted.scales, fitted.supported, fitted.contradicted)
    rows = {
        name: dict(zip(("mean", "scale", "supported", "contradicted"), (round(v, 5) for v in values), strict=True))
        for name, *values in zip(fitted.features, *columns, strict=True)
    }
    record = {
        "fitted_on": "pairs written for this project; a fifth of SciFact's training claims (CC BY 4.0) against their "
        "cited abstracts (ODC-By 1.0), whole and in single sentences; none of them seen by the reader",
        "fitted_by": "python -m eval.experiments.entailment --write",
        "seed": seed,
        "penalty": PENALTY,
        "figures": figures,
        "reference": "unverifiable",
        "intercepts": dict(zip(("supported", "contradicted"), (round(v, 5) for v in fitted.intercepts), strict=True)),
        "stated": dict(zip(("supported", "contradicted"), (round(v, 3) for v in fitted.stated), strict=True)),
        "features": rows,
    }
    _TARGET.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
