"""Fits the reader of ``chains/scope`` on questions written for it, and measures the fit.

What general texts answer is taught by the kind ``general`` of ``eval/data/scope.jsonl``, by questions of
``eval/data/judged`` that a passage of the library was found to answer, and, at a small weight, by headings of the
library and questions written for its topics. Each fifth is measured by the coefficients of the others.

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
from eval.training.judged import ANSWERS, judged, topical
from graphs.resources import Resources
from tools.library.shipped import read_documents, read_sheet

DATA = Path(__file__).parents[1] / "data" / "scope.jsonl"
PENALTY = 0.03
FOLDS = 5
HEADINGS = 800
WEIGHT = 0.3
THRESHOLD = 0.5
GENERAL = "general"


def written() -> list[tuple[str, str]]:
    """Texts with their kinds; that of what general texts answer is ``GENERAL``."""
    entries = map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
    return [(entry["text"], entry["kind"]) for entry in entries]


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
    """Questions that a passage was judged to answer."""
    return [question for question, grades in judged() if ANSWERS in grades.values()]


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
    resources.close()
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
    print(found)
    figures = {"penalty": PENALTY, "held_out": {name: round(value, 3) for name, value in found.items()}}
    content = content_of(fit(inputs, kinds, weights, PENALTY), figures)
    reader_from(json.loads(content))
    FILE.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
