"""Fits the reader of ``chains/scope`` on questions written for it, and measures the fit.

What general texts answer is taught by the kind ``general`` of ``eval/data/scope.jsonl``, by questions of
``eval/data/judged`` that a passage of the library was found to answer, and, at a small weight, by headings of the
library and questions written for its topics. Each fifth is measured by the coefficients of the others; the part
``unread``, of a hand of its own, by all of them.

    python -m eval.experiments.scope_fit
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from chains.scope.learned import FILE, LEARNED, Floats, Reader, inputs_of, reader_from
from core.settings import load_settings
from eval.experiments.safety_fit import fit_multinomial
from eval.metrics.classification import auc
from eval.training.judged import ANSWERS, judged, topical
from graphs.resources import Resources
from tools.library.shipped import read_documents, read_sheet

DATA = Path(__file__).parents[1] / "data" / "scope.jsonl"
PENALTY = 0.03
FOLDS = 5
HEADINGS = 800
WEIGHT = 0.3
THRESHOLD = 0.5
GENERAL, UNREAD = "general", "unread"


def written(*, unread: bool = False) -> list[tuple[str, str]]:
    """Texts with their kinds, to learn from or of the part that only measures; general texts answer ``GENERAL``."""
    entries = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [(entry["text"], entry["kind"]) for entry in entries if (entry.get("part") == UNREAD) == unread]


def headings(seed: int) -> list[str]:
    """Questions that head the library's sections, in small letters, as they are typed."""
    titles = {
        passage.title.partition(": ")[2].lower().rstrip("?")
        for corpus in read_sheet().corpora[:1]
        for document in read_documents(corpus)
        for passage in document.passages
    }
    asked = sorted(title for title in titles if title)
    return [asked[i] for i in np.random.default_rng(seed).permutation(len(asked))[:HEADINGS]]


def answered() -> list[str]:
    """Questions that a passage was judged to answer, and that were not found to be of another kind."""
    known = {text for text, _ in written()}
    found = [one.question for one in judged() if max(one.grades.values(), default=0) >= ANSWERS]
    return [question for question in found if question not in known]


def of_topics(seed: int) -> list[str]:
    """Questions that the texts of a topic answer."""
    asked = [one.question for one in topical() if max(one.grades.values()) >= ANSWERS]
    return [asked[i] for i in np.random.default_rng(seed).permutation(len(asked))[:HEADINGS]]


def fit(inputs: Floats, kinds: Floats, weights: Floats, penalty: float) -> Reader:
    """A reader of questions, whose kinds are rows of 0 and 1; a row of zeros is what general texts answer."""
    return Reader(LEARNED, fit_multinomial(inputs, kinds, weights, penalty))


def content_of(reader: Reader, figures: Mapping[str, Any]) -> str:
    """JSON with one line a kind."""
    head = json.dumps({"data": "written for Medattest, MIT; headings of MedlinePlus", **figures}, indent=1)[:-2]
    rows = ",\n".join(
        f"  {json.dumps(kind)}: {json.dumps(row.tolist(), separators=(',', ':'))}"
        for kind, row in zip(reader.kinds, reader.coefficients, strict=True)
    )
    return f'{head},\n "coefficients": {{\n{rows}\n }}\n}}\n'


def main() -> None:
    """Fit, measure, and write ``chains/scope/coefficients.json``."""
    parser = argparse.ArgumentParser(description="Fit the reader of chains/scope.")
    parser.add_argument("--seed", type=int, default=0, help="of folds and headings")
    seed = parser.parse_args().seed
    resources = Resources(load_settings())
    texts = [*written(), *((text, GENERAL) for text in answered())]
    heads = [*headings(seed), *of_topics(seed)]
    every = [*(text for text, _ in texts), *heads]
    inputs = inputs_of(every, resources.minilm.encode, resources.linker.link)
    kinds = np.array(
        [[float(kind == name) for name in LEARNED] for _, kind in texts] + [[0.0] * len(LEARNED)] * len(heads)
    )
    weights = np.append(np.ones(len(texts)), np.full(len(heads), WEIGHT))
    fold = np.random.default_rng(seed).permutation(len(inputs)) % FOLDS
    own = np.arange(len(inputs)) < len(texts)
    shares = np.zeros((len(inputs), len(LEARNED)))
    for held in range(FOLDS):
        kept = fold != held
        shares[~kept] = fit(inputs[kept], kinds[kept], weights[kept], PENALTY).shares(inputs[~kept])
    out, should = shares.sum(axis=1) >= THRESHOLD, kinds.any(axis=1)
    right = shares[should].argmax(axis=1) == kinds[should].argmax(axis=1)
    found = {
        "withheld": float(out[should].mean()),
        "kind_right": float(right.mean()),
        "general_withheld": float(out[own & ~should].mean()),
        "headings_withheld": float(out[~own].mean()),
    }
    reader = fit(inputs, kinds, weights, PENALTY)
    found |= unread_figures(reader, resources)
    resources.close()
    print(found)
    content = content_of(reader, {"penalty": PENALTY, "held_out": {k: round(value, 3) for k, value in found.items()}})
    reader_from(json.loads(content))
    FILE.write_text(content, encoding="utf-8")


def unread_figures(reader: Reader, resources: Resources) -> dict[str, float]:
    """Of the texts that nothing is fitted on: what is withheld rightly and wrongly, and the AUC."""
    texts, kinds = zip(*written(unread=True), strict=True)
    outside = reader.shares(inputs_of(texts, resources.minilm.encode, resources.linker.link)).sum(axis=1)
    should = np.array([kind != GENERAL for kind in kinds])
    out = outside >= THRESHOLD
    return {
        "unread_withheld": float(out[should].mean()),
        "unread_general_withheld": float(out[~should].mean()),
        "unread_auc": float(auc(should, outside)),
    }


if __name__ == "__main__":
    main()
