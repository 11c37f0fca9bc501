"""Relevance on MEDIQA 2019's answers, which NLM judged: AUC, accuracy and MRR of the cosine, the reader, and both.

Only measured, never fitted: an answer is good at a score of 3 or 4. An answer is a passage without a title. Those that
share thirteen words with a passage that was judged for the reader are left out.

    python -m eval.experiments.mediqa --data mediqa_qa/alexa.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chains.relevance import relevance
from chains.understand import understand
from core.schema import Evidence
from core.settings import load_settings
from eval.metrics.classification import auc
from eval.training.judged import judged, reading, topical
from eval.training.sections import shingles
from graphs.resources import Resources

GOOD = 3


def learnt_runs(resources: Resources) -> set[int]:
    """The runs of thirteen words in the passages that were judged, or written for, by hand."""
    text_of = reading(resources)
    graded = {i for one in judged() for i in one.grades} | {i for one in topical() for i in one.grades}
    return set().union(*(shingles(text_of(evidence_id)[1]) for evidence_id in graded))


def read(path: Path) -> list[Mapping[str, Any]]:
    """The questions of a file, each with its judged answers."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scores(
    records: Sequence[Mapping[str, Any]], resources: Resources
) -> tuple[dict[str, list[list[float]]], list[list[bool]]]:
    """The scores of each way by question and answer, and which answers are good."""
    ways: dict[str, list[list[float]]] = {"cosine": [], "reader": [], "combination": []}
    good = []
    learnt = learnt_runs(resources)
    for record in records:
        answers = [a for a in record["answers"] if not shingles(a["text"]) & learnt]
        if not answers:
            continue
        evidence = [Evidence(id=f"given:{a['aid']}#0", text=a["text"], source="given") for a in answers]
        understanding = understand(record["question"], resources.linker.link, synonyms=resources.names)
        found = relevance(
            understanding,
            evidence,
            resources.rarity,
            encode=resources.minilm.encode,
            vectors=resources.relevance.vectors,
            read=resources.readers.answers,
            most_read=10**6,
        )
        ways["cosine"].append([r.signals["similar_text"] for r in found])
        ways["reader"].append([r.signals.get("read", -99.0) for r in found])
        ways["combination"].append([r.p_answers for r in found])
        good.append([a["score"] >= GOOD for a in answers])
    return ways, good


def figures(way: Sequence[Sequence[float]], good: Sequence[Sequence[bool]], threshold: float) -> dict[str, float]:
    """AUC over all answers, accuracy at a threshold, and the mean reciprocal rank of the first good answer."""
    flat, truth = np.concatenate([np.array(w) for w in way]), np.concatenate([np.array(g) for g in good])
    ranks = []
    for own, right in zip(way, good, strict=True):
        if any(right):
            order = np.argsort(-np.array(own), kind="stable")
            ranks.append(1 / (1 + int(np.flatnonzero(np.array(right)[order])[0])))
    return {
        "auc": round(auc(truth, flat), 3),
        "accuracy": round(float(((flat >= threshold) == truth).mean()), 3),
        "mrr": round(float(np.mean(ranks)), 3),
    }


def mediqa(records: Sequence[Mapping[str, Any]], resources: Resources) -> Mapping[str, Mapping[str, float]]:
    """The figures of each way; the cosine has the threshold that serves it best, which flatters it."""
    ways, good = scores(records, resources)
    cuts = np.linspace(0.2, 0.9, 71)
    best = max(cuts, key=lambda cut: figures(ways["cosine"], good, float(cut))["accuracy"])
    thresholds = {"cosine": float(best), "reader": 0.0, "combination": 0.5}
    return {name: figures(way, good, thresholds[name]) for name, way in ways.items()}


def main() -> None:
    """Print the figures of each file."""
    parser = argparse.ArgumentParser(description="Relevance on MEDIQA 2019.")
    parser.add_argument("--data", type=Path, action="append", required=True, help="alexa.jsonl, validation.jsonl")
    given = parser.parse_args()
    resources = Resources(load_settings())
    for path in given.data:
        print(json.dumps({path.stem: mediqa(read(path), resources)}, indent=1))


if __name__ == "__main__":
    main()
