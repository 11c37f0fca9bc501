"""The verifier's one fitted function: fit it, and measure it by folds, on HealthVer and on MedHallu.

It is fitted on what the reader that has learned never saw: the pairs of ``eval/data/written`` whose passages are kept
out, and the fifth of SciFact's training claims (CC BY 4.0, abstracts ODC-By 1.0) that are, each against the abstract it
cites and against single sentences of it. HealthVer and MedHallu only measure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chains.claims import split_claims
from chains.verify import entailment, verify
from chains.verify.entailment import Coefficients
from core.schema import Label
from core.settings import load_settings
from eval.experiments.claim_ablation import costs, lines
from eval.experiments.claim_fit import FOLDS, PENALTY, decide, each_crossed, fit, learnt, told
from eval.experiments.claim_tables import LABELS, Table, keep, kept, table
from eval.experiments.reading import Collaborators, collaborators
from eval.experiments.verification_data import Pair, healthver, medhallu, scifact, scifact_sentences, written_pairs
from eval.metrics.classification import auc, f1_by_class, macro_f1
from eval.training.scifact import kept_out

TRANSFER = "healthver"
"""The set that only measures."""
TIMED = 60
"""Pairs of which the costs are the means."""
_TARGET = Path(entailment.__file__).with_name("coefficients.json")


def drawn(folder: Path, number: int | None, seed: int) -> dict[str, list[Pair]]:
    """The pairs of every set that no reader saw, or so many drawn of each."""
    rng = np.random.default_rng(seed)
    sets = {
        "written_pairs": written_pairs(),
        "scifact_abstracts": [pair for pair in scifact(folder / "scifact") if kept_out(int(pair.group))],
        "scifact_sentences": [pair for pair in scifact_sentences(folder / "scifact") if kept_out(int(pair.group))],
        TRANSFER: healthver(folder / "healthver" / "healthver_dev.csv"),
    }
    return {name: _drawn(pairs, number, rng) for name, pairs in sets.items()}


def _drawn(pairs: Sequence[Pair], number: int | None, rng: np.random.Generator) -> list[Pair]:
    return [pairs[i] for i in rng.permutation(len(pairs))[:number]] if number else list(pairs)


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
    parser.add_argument("--tables", type=Path, help="what was measured of the pairs: read if it is there, else written")
    parser.add_argument("--write", action="store_true", help="replace chains/verify/coefficients.json")
    parser.add_argument("--ablation", action="store_true", help="without each group of signals, and what a group costs")
    parser.add_argument("--without-medhallu", action="store_true", help="leave out the slowest measurement")
    given = parser.parse_args(arguments)
    settings = load_settings()
    by = collaborators(settings.home, settings.threads)
    pairs = drawn(given.data, given.n, given.seed)
    timed = [pair for name, own in pairs.items() if name != TRANSFER for pair in own]
    cost = costs(_drawn(timed, TIMED, np.random.default_rng(given.seed)), by) if given.ablation else {}
    if given.tables and given.tables.exists():
        tables = kept(given.tables)
    else:
        tables = {name: table(own, by) for name, own in pairs.items()}
        if given.tables:
            keep(tables, given.tables)
    transfer = tables.pop(TRANSFER)
    fitted = fit(learnt(tables))
    figures = {
        f"{name}_cv5_macro_f1": _report(f"{name}, {FOLDS} folds", data, decide(found))
        for name, data, found in each_crossed(tables, given.seed)
    }
    figures["healthver_transfer_macro_f1"] = _report("HealthVer, transferred", transfer, decide(told(transfer, fitted)))
    if given.write:
        _write(fitted, figures, given.seed)
    if given.ablation:
        for line in lines(tables, transfer, cost, given.seed):
            _say(line)
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
