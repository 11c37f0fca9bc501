"""Fits how likely a passage answers (``chains/relevance``), and measures them on focuses that nothing is fitted on.

It learns from questions made of MedQuAD and MedlinePlus, and from those of ``eval/data/judged`` that the reader did not
learn from: what people type, with what the library's search finds, and with short texts that somebody gives, judged by
hand. The slow part, reading what was found with embedder and reader, is kept in ``--work`` and done once.

    python -m eval.experiments.relevance_fit --medquad medquad_open.jsonl --topics medlineplus_topics.jsonl
        --measured mediqa_qa --work runs/relevance --fit 500 --held 200
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains.relevance.model import FILE, known_of, logistic
from chains.relevance.signals import asked_as, signals_of
from chains.understand import understand
from core.odds import log_odds
from core.readers.pairs import titled
from core.schema import Evidence
from core.settings import load_settings
from eval.experiments.relevance_data import Case, Collection
from eval.metrics.classification import auc
from eval.training.answering_data import read_all
from eval.training.judged import ANSWERS, PASSAGE, judged, short, topical, unlearnt
from graphs.resources import Resources
from tools.library.index import LibraryIndex

FIRST = ("similar_text", "document_near", "title_conflict", "titled")
KNOWN = ("known", "has_known")
BOUNDS = {"title_conflict": (None, -2.5), "document_near": (0.3, None), "titled": (None, None)}
"""What speaks against a passage; all else but a title may only speak for it, whatever a few thousand questions
suggest. They seldom ask for siblings of a disease, and most passages name what their document is about: each counts so
much at least."""
PENALTY = 1.0
BINS = 10
HALF = 0.5
NAMED = 0.9
SIBLING = {"title_conflict": 1.0}
JUDGED = 4.0
"""How many times a passage that was judged by hand counts."""
TOPICAL = 1.0
"""The same of a passage for a question that was written for its topic."""
GIVEN = 4.0
"""The same of a short text without a title, as somebody gives it."""
SIBLINGS = 4.0
"""The same of what is made of a sibling."""
SEARCHED, OTHER = 30, 0.05
"""Passages searched for such a question, and how far one of another topic is held to answer it."""
SEED = 3
POSITIVE = 1.0
"""How many times a passage of the collections that answers counts."""

Floats = NDArray[np.float64]
Row = Mapping[str, Any]


def read_cases(cases: Iterator[Case], resources: Resources, work: Path) -> list[Row]:
    """The signals of every passage of every case, with its label; what ``work`` holds is not done again."""
    kept = work.read_text(encoding="utf-8").splitlines() if work.is_file() else []
    rows: list[Row] = [json.loads(line) for line in kept]
    done = {row["case"] for row in rows}
    with work.open("a", encoding="utf-8") as sink:
        for number, case in enumerate(cases):
            if number in done or not case.evidence:
                continue
            understanding = understand(case.question, resources.linker.link, synonyms=resources.names)
            signals = signals_of(
                understanding,
                case.evidence,
                resources.rarity,
                resources.minilm.encode,
                lambda evidence: resources.minilm.encode([e.text for e in evidence]),
            )
            for e, found, label in zip(case.evidence, signals, case.labels, strict=True):
                row = {"case": number, "kind": case.kind, "label": label, "signals": found}
                rows.append({**row, "pair": [asked_as(understanding, e), titled(e.title, e.text)]})
            sink.writelines(json.dumps(row) + "\n" for row in rows[-len(case.evidence) :])
            sink.flush()
    return _with_reading(rows, resources)


def judged_rows(resources: Resources) -> list[Row]:
    """The signals of the passages judged for questions that nothing else learnt from, with how far they answer."""
    index = resources.library.open()
    rows: list[Row] = []
    for question, grades, _ in unlearnt(judged()):
        evidence = _stored(index, grades)
        nearest = resources.relevance.known(question, evidence)
        made = _rows(question, "judged", evidence, [PASSAGE[grade] for grade in grades.values()], resources)
        rows += ({**row, "signals": row["signals"] | known_of(own)} for row, own in zip(made, nearest, strict=True))
    return _with_reading(rows, resources)


def topical_rows(resources: Resources, most: int) -> list[Row]:
    """The signals of a topic's passages, and of what the search finds in its corpus, for questions written for it.

    What is found in other topics is held to answer seldom; a passage that was neither graded nor is of another topic
    completes an answer, and is left out.
    """
    index = resources.library.open()
    rows: list[Row] = []
    asked = unlearnt(topical())
    for one in random.Random(SEED).sample(asked, min(most, len(asked))):
        corpus = next(iter(one.grades)).partition("/")[0]
        documents = {evidence_id.partition("#")[0] for evidence_id in one.grades}
        found = [e for e in resources.library.search([one.question], SEARCHED) if e.id.startswith(corpus)]
        others = [e for e in found if e.id.partition("#")[0] not in documents]
        own = _stored(index, one.grades)
        labels = [PASSAGE[grade] for grade in one.grades.values()] + [OTHER] * len(others)
        rows += _rows(one.question, "topical", [*own, *others], labels, resources)
    return _with_reading(rows, resources)


def given_rows(resources: Resources) -> list[Row]:
    """The signals of short texts that somebody gives beside a question, with how far they answer."""
    rows: list[Row] = []
    for beside in short(measuring=True):
        evidence = [Evidence(id=f"given:{n}", text=pair.passage, source="given") for n, pair in enumerate(beside)]
        rows += _rows(beside[0].question, "given", evidence, [pair.label for pair in beside], resources)
    return _with_reading(rows, resources)


def _stored(index: LibraryIndex, ids: Iterable[str]) -> list[Evidence]:
    """Passages of the library as evidence, by their ids."""
    rows = index.read([index.row(evidence_id) for evidence_id in ids])
    return [Evidence(id=row.id, text=row.text, title=row.title, source="library") for row in rows]


def _rows(
    question: str, kind: str, evidence: Sequence[Evidence], labels: Sequence[float], resources: Resources
) -> Iterator[Row]:
    understanding = understand(question, resources.linker.link, synonyms=resources.names)
    found = signals_of(understanding, evidence, resources.rarity, resources.minilm.encode, resources.relevance.vectors)
    for e, signals, label in zip(evidence, found, labels, strict=True):
        pair = [asked_as(understanding, e), titled(e.title, e.text)]
        yield {"kind": kind, "label": label, "signals": signals, "pair": pair}


def _with_reading(rows: Sequence[Row], resources: Resources) -> list[Row]:
    """The rows with what the reader says, where it is there."""
    if resources.readers.answers is None:
        return list(rows)
    outputs = resources.readers.answers([(row["pair"][0], row["pair"][1]) for row in rows])[:, 0]
    return [{**row, "signals": {**row["signals"], "read": float(o)}} for row, o in zip(rows, outputs, strict=True)]


def fit_logistic(
    signals: Sequence[Mapping[str, float]],
    labels: Sequence[float],
    names: Sequence[str],
    counts: Sequence[float] | None = None,
) -> dict[str, float]:
    """Ridge-penalised maximum likelihood; labels are in [0, 1], a row counts as often as ``counts`` says."""
    rows = np.array([[s.get(n, 0.0) for n in names] for s in signals])
    truth = np.array(labels, dtype=np.float64)
    weights = np.ones(len(truth)) if counts is None else np.array(counts)

    def loss(values: Floats) -> tuple[float, Floats]:
        p = 1 / (1 + np.exp(-(rows @ values[:-1] + values[-1])))
        cost = -(weights * (truth * np.log(p + 1e-9) + (1 - truth) * np.log(1 - p + 1e-9))).sum()
        off = weights * (p - truth)
        slope = np.append(rows.T @ off + 2 * PENALTY * values[:-1], off.sum())
        return float(cost + PENALTY * (values[:-1] ** 2).sum()), slope

    bounds = [BOUNDS.get(n, (0.0, None)) for n in names]
    values = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    return {n: round(float(v), 4) for n, v in zip([*names, "intercept"], values, strict=True)}


def rescaled(
    model: Mapping[str, float], signals: Sequence[Mapping[str, float]], answers: Sequence[float]
) -> dict[str, float]:
    """The same order with probabilities that hold for what a search finds (Platt, 1999).

    Most rows of the fit are made, and more often beside the point than what is found; those judged by hand are not.
    """
    p = np.array([logistic(model, row) for row in signals])
    slope = fit_logistic([{"z": float(z)} for z in np.log(p / (1 - p))], answers, ("z",))
    scaled = {name: value * slope["z"] for name, value in model.items()}
    scaled["intercept"] += slope["intercept"]
    return {name: round(value, 4) for name, value in scaled.items()}


def with_known(
    model: Mapping[str, float], signals: Sequence[Mapping[str, float]], answers: Sequence[float]
) -> dict[str, float]:
    """The same with what it counts that a passage is known to answer a question so near: all else stays as it is.

    Nothing is changed of passages of which nothing is known: their two signals are 0.
    """
    z = np.array([log_odds(logistic(model, row)) for row in signals])
    rows, truth = np.array([[row[name] for name in KNOWN] for row in signals]), np.array(answers)

    def loss(values: Floats) -> float:
        of = z + rows @ values
        return float(np.logaddexp(0, of).sum() - truth @ of + PENALTY * 0.1 * (values**2).sum())

    values = minimize(loss, np.zeros(len(KNOWN)), bounds=[(0.0, None), (None, None)]).x
    return {**model, **{name: round(float(value), 4) for name, value in zip(KNOWN, values, strict=True)}}


def siblings(rows: Sequence[Row]) -> list[dict[str, float]]:
    """What answers, as it would be of a sibling (type 1, type 2): alike in all but the word that tells them apart."""
    own = [r["signals"] for r in rows if r["label"] == 1 and _is_named(r["signals"])]
    return [{**signals, **SIBLING} for signals in own]


def _is_named(signals: Mapping[str, float]) -> bool:
    """Whether a passage has a title, and its document the subject's name."""
    return "title_conflict" in signals and signals.get("document_near", 0.0) > NAMED


def figures(p: Sequence[float], labels: Sequence[float]) -> dict[str, float]:
    """AUC, accuracy at 0.5, and the expected calibration error; what answers by half or more counts as an answer."""
    found, truth = np.array(p), np.array(labels) >= HALF
    places = np.minimum((found * BINS).astype(int), BINS - 1)
    gaps = [abs(found[places == b].mean() - truth[places == b].mean()) * (places == b).mean() for b in set(places)]
    return {
        "auc": round(auc(truth, found), 3),
        "accuracy": round(float(((found >= 0.5) == truth).mean()), 3),
        "calibration_error": round(float(sum(gaps)), 3),
    }


def measured(rows: Sequence[Row], models: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The figures of each way to judge, on passages of focuses that nothing was fitted on."""
    usable = [r for r in rows if r["label"] is not None]
    labels = [r["label"] for r in usable]
    ways = {name: [logistic(models[name], r["signals"]) for r in usable] for name in ("first", "read")}
    found: dict[str, Any] = {name: figures(p, labels) for name, p in ways.items()}
    found["cosine"] = {"auc": round(auc(labels, [r["signals"]["similar_text"] for r in usable]), 3)}
    found["reader alone"] = {"auc": round(auc(labels, [r["signals"].get("read", 0.0) for r in usable]), 3)}
    for kind in sorted({r["kind"] for r in usable}):
        best: dict[int, tuple[float, int]] = {}
        for row, p in zip(usable, ways["read"], strict=True):
            if row["kind"] == kind:
                best[row["case"]] = max(best.get(row["case"], (0.0, 0)), (p, row["label"]))
        given = [label for p, label in best.values() if p >= 0.5]
        found[f"asked: {kind}"] = {
            "questions": len(best),
            "answered": len(given),
            "first answer right": round(sum(given) / max(1, len(given)), 3),
        }
    return found


def main() -> None:
    """Fit, measure, and write ``chains/relevance/coefficients.json``."""
    given = _arguments()
    given.work.mkdir(parents=True, exist_ok=True)
    resources = Resources(load_settings())
    collection = Collection(read_all(given.medquad, given.topics, given.measured))
    asked = {"fit": given.fit, "held": given.held}
    parts: dict[str, list[Row]] = {}
    for part, count in asked.items():
        held = part == "held"
        cases = collection.cases(count, held, given.seed)
        parts[part] = read_cases(cases, resources, given.work / f"{part}.jsonl")
    usable = [r for r in parts["fit"] if r["label"] is not None]
    beside, by_hand, of_topics = siblings(usable), judged_rows(resources), topical_rows(resources, given.topical)
    by_people = given_rows(resources)
    rows = [*usable, *by_hand, *of_topics, *by_people]
    signals = [r["signals"] for r in rows] + beside
    labels = [r["label"] for r in rows] + [0] * len(beside)
    counts = [POSITIVE if r["label"] else 1.0 for r in usable] + [JUDGED] * len(by_hand)
    counts += [TOPICAL] * len(of_topics) + [GIVEN] * len(by_people) + [SIBLINGS] * len(beside)
    models = {
        "first": fit_logistic(signals, labels, FIRST, counts),
        "read": fit_logistic(signals, labels, (*FIRST, "read"), counts),
    }
    found = [float(row["label"] >= PASSAGE[ANSWERS]) for row in by_hand]
    for name in ("first", "read"):
        models[name] = rescaled(models[name], [row["signals"] for row in by_hand], found)
        models[name] = with_known(models[name], [row["signals"] for row in by_hand], found)
    content = {
        "data": "MedQuAD, CC BY 4.0; MedlinePlus, public domain; questions written and judged for this project",
        "questions": {**asked, "judged by hand": len(by_hand), "of topics": len(of_topics), "given": len(by_people)},
        "seed": given.seed,
        "held_out": measured(parts["held"], models),
        "models": models,
    }
    print(json.dumps(content, indent=1))
    if not given.dry:
        FILE.write_text(json.dumps(content, indent=1) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fit chains/relevance on MedQuAD and MedlinePlus.")
    parser.add_argument("--medquad", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--work", type=Path, required=True, help="a folder that keeps what was read")
    parser.add_argument("--fit", type=int, default=500, help="questions to fit on")
    parser.add_argument("--held", type=int, default=200, help="questions about focuses held out")
    parser.add_argument("--topical", type=int, default=600, help="questions written for topics")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
