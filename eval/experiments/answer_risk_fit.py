"""Fits the risk of an answer on natural questions, whose answers are marked by what they must say.

Each question is asked with every risk accepted, so that also what would be withheld is marked; the features are those
of the first piece of evidence that the answer cites, or of the likeliest one where nothing is said. Weights that could
only harm are held at 0: no feature may count the other way than its meaning.

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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains import answer_risk
from chains.answer_risk import Features, lacking, missing_words
from chains.relevance.subject import names_of
from chains.scope import Scope
from core.errors import InputError
from core.odds import log_odds
from core.schema import VerifiedAnswer
from core.settings import load_settings
from eval.metrics.abstention import calibration_error
from eval.natural import Natural, mark, read
from graphs.medical_qa import Graph, build_graph
from graphs.resources import Resources
from graphs.retrieval import Graph as RetrievalGraph
from graphs.retrieval import build_graph as build_retrieval

NAMES = ("intercept", "p_answers", "outside", "unknown", "lacking")
SIGNS = {"p_answers": 1, "outside": -1, "unknown": -1, "lacking": -1}
PRIOR = {"intercept": 0.0, "p_answers": 1.0, "outside": -0.3, "unknown": -4.0, "lacking": -2.0}
"""What the weights are drawn to: few of the questions have an unknown word, and none tells how much it weighs."""
STRENGTH = 0.5
FOLDS = 5
Rows = NDArray[np.float64]


class Marked(NamedTuple):
    """A question with its features, and whether its answer was useful."""

    question: str
    features: Features
    useful: bool


async def collect(resources: Resources, naturals: Sequence[Natural], file: Path | None = None) -> list[Marked]:
    """Ask every question that the file does not have, look at what its evidence is weighed by, and add it there."""
    graph, retrieval = build_graph(resources), build_retrieval(resources)
    before = {one.question: one for one in _before(file)}
    marked = []
    for natural in naturals:
        one = before.get(natural.question)
        if one is None:
            one = await _marked(resources, graph, retrieval, natural)
            _add(one, file)
        marked.append(one)
    return marked


def _before(file: Path | None) -> list[Marked]:
    return collected(file) if file and file.exists() else []


def _add(one: Marked, file: Path | None) -> None:
    if file:
        with file.open("a", encoding="utf-8") as lines:
            line = {"question": one.question, **one.features._asdict(), "useful": one.useful}
            lines.write(json.dumps(line) + "\n")


def collected(path: Path) -> list[Marked]:
    """The questions of a file that ``collect`` has written; InputError where it is none."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [Marked(r["question"], Features(*(float(r[n]) for n in Features._fields)), r["useful"]) for r in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no questions as answer_risk_fit collects them ({error})") from error


async def _marked(resources: Resources, graph: Graph, retrieval: RetrievalGraph, natural: Natural) -> Marked:
    state = await graph.ainvoke(
        {"question": natural.question}, output_keys=["answer", "understanding", "scope", "unknown"]
    )
    answer: VerifiedAnswer = state["answer"]
    scope = state.get("scope") or Scope()
    asked = state["understanding"]
    weighed = await retrieval.ainvoke(
        {
            "understanding": asked,
            "queries": answer.queries,
            "hypothetical": "",
            "given": answer.evidence,
            "settings": {"sources": ["given"]},
        }
    )
    evidence = list(answer.evidence)
    cited = [e for e in evidence if e.id in answer.citations] or evidence
    first = max(cited, key=lambda e: weighed["relevance"].get(e.id, 0.0), default=None)
    unknown = float(bool(missing_words(state.get("unknown") or (), evidence)))
    if first is None:
        return Marked(natural.question, Features(0.0, scope.outside, unknown, 1.0), False)
    names = names_of(asked, resources.rarity)
    share = lacking(names, first, resources.rarity)
    p = weighed["relevance"].get(first.id, 0.0)
    return Marked(natural.question, Features(p, scope.outside, unknown, share), mark(natural, answer) == "useful")


def matrix(marked: Sequence[Marked]) -> tuple[Rows, Rows]:
    """Features as the function takes them, questions × weights, and 1 where the answer was useful."""
    x = [[1.0, log_odds(f.p_answers), log_odds(f.outside), f.unknown, f.lacking] for _, f, _ in marked]
    return np.array(x), np.array([float(one.useful) for one in marked])


def fit(x: Rows, y: Rows) -> Rows:
    """The weights of the likeliest function near the prior, with the signs that their meaning gives them."""
    prior = np.array([PRIOR[name] for name in NAMES])

    def loss(w: Rows) -> float:
        z = x @ w
        return float(np.logaddexp(0, z).sum() - y @ z + STRENGTH * ((w - prior) ** 2).sum())

    bounds = [(0, None) if SIGNS.get(n) == 1 else (None, 0) if SIGNS.get(n) == -1 else (None, None) for n in NAMES]
    return np.asarray(minimize(loss, prior, bounds=bounds).x)


def crossed(x: Rows, y: Rows, seed: int) -> Rows:
    """The probability of each question by weights that were fitted without it."""
    order = np.random.default_rng(seed).permutation(len(y))
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        out = order[fold::FOLDS]
        kept = np.setdiff1d(order, out)
        p[out] = 1.0 / (1.0 + np.exp(-x[out] @ fit(x[kept], y[kept])))
    return p


def main() -> None:
    """Collect, fit, print what cross-validation says, and write the weights where asked to."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.answer_risk_fit", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--collected", type=Path, help="keep there what each question gave, and go on from it")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    naturals = [natural for path in given.files for natural in read(path)]
    resources = Resources(load_settings(accept_risk=1.0, rounds=0))
    try:
        marked = asyncio.run(collect(resources, naturals, given.collected))
    finally:
        resources.close()
    x, y = matrix(marked)
    weights, p = fit(x, y), crossed(x, y, given.seed)
    error = calibration_error((y == 0).tolist(), (1 - p).tolist())
    print(f"{len(y)} questions, {y.mean():.1%} answered usefully; calibration error, {FOLDS} folds: {error:.3f}")
    for accepted in (0.3, 0.4, 0.5, 0.6):
        shown = p >= 1 - accepted
        right = y[shown].mean() if shown.any() else float("nan")
        print(f"risk accepted {accepted}: {shown.mean():.1%} answered, {right:.1%} of these usefully")
    found = {name: round(float(w), 4) for name, w in zip(NAMES, weights, strict=True)}
    print(json.dumps(found))
    if given.write:
        answer_risk.FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
