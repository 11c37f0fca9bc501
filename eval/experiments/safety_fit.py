"""Fits the learned reader of ``chains/safety`` on texts written for it, and measures the fit.

The texts are those of ``eval/data/safety_training.jsonl`` and the part ``tuned`` of ``safety.jsonl`` (its part
``fresh`` is left for one measurement), with real harmless questions at a small weight (MedQuAD, CC BY 4.0). Each fifth
is measured by the coefficients of the others, as it stands and as one text among four harmless ones (a letter). The
threshold is the one at which the share ``PRICE`` of the harmless written texts, all of them look-alikes, would raise
an alarm when held out; the penalty is the largest whose misses are then within ``CLOSE`` of the fewest.

    python -m eval.experiments.safety_fit --questions medquad_open.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains.safety import Kind
from chains.safety.learned import FILE, Encode, Floats, Reader, danger, reader_from, rows, units
from core.embeddings import MiniLM
from eval.experiments.safety import DATA, TRAINING, Text, questions, read
from eval.metrics.classification import auc

PRICE = 0.175
CLOSE = 0.01
PENALTIES = (0.03, 0.1)
FOLDS = 5
WEIGHT = 0.1
AROUND = 4
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Taught:
    """Texts as inputs (texts by inputs), and which kinds each should raise (texts by kinds, 0 or 1)."""

    inputs: Floats
    kinds: Floats

    @property
    def dangerous(self) -> Bools:
        """Whether a text should raise anything."""
        return np.asarray(self.kinds.any(axis=1))


def training_texts() -> list[Text]:
    """What the reader is taught, without the case reports that are never read."""
    texts = [text for text in read(DATA) if text.part == "tuned"] + read(TRAINING)
    return [text for text in texts if units(text.text)]


def taught(texts: Sequence[Text], encode: Encode) -> Taught:
    """The texts, each read as a whole."""
    kinds = [[float(kind in text.kinds) for kind in get_args(Kind)] for text in texts]
    return Taught(rows([units(text.text)[0] for text in texts], encode), np.array(kinds))


def fit_multinomial(inputs: Floats, kinds: Floats, weights: Floats, penalty: float) -> Floats:
    """Ridge-penalised maximum likelihood (kinds by inputs and intercept), relative to texts of no kind.

    A text of several kinds counts as an equal part of each.
    """
    shares = np.hstack([kinds, 1.0 - kinds.any(axis=1, keepdims=True)])
    shares /= shares.sum(axis=1, keepdims=True)
    with_one = np.hstack([inputs, np.ones((len(inputs), 1))])
    size = (shares.shape[1], with_one.shape[1])

    def loss(values: Floats) -> tuple[float, Floats]:
        table = values.reshape(size)
        logits = with_one @ table.T
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        slope = ((np.exp(logs) - shares) * weights[:, None]).T @ with_one
        slope[:, :-1] += 2 * penalty * table[:, :-1]
        cost = -(weights[:, None] * shares * logs).sum() + penalty * (table[:, :-1] ** 2).sum()
        return float(cost), slope.ravel()

    table = minimize(loss, np.zeros(size[0] * size[1]), jac=True, method="L-BFGS-B").x.reshape(size)
    return np.asarray(np.round(table[:-1] - table[-1], 2))


def fit(texts: Taught, harmless: Floats, penalty: float, threshold: float = 0.5) -> Reader:
    """A reader of texts and of harmless questions, which weigh little."""
    inputs = np.vstack([texts.inputs, harmless])
    kinds = np.vstack([texts.kinds, np.zeros((len(harmless), texts.kinds.shape[1]))])
    weights = np.append(np.ones(len(texts.inputs)), np.full(len(harmless), WEIGHT))
    return Reader(get_args(Kind), fit_multinomial(inputs, kinds, weights, penalty), threshold)


def letters(texts: Sequence[Text], held: Sequence[int], rng: np.random.Generator) -> list[str]:
    """Each of the held texts among four harmless ones that are held too."""
    harmless = [place for place in held if not texts[place].kinds]
    return [
        " ".join(_ended(texts[p].text) for p in rng.permutation([place, *rng.choice(harmless, AROUND, replace=False)]))
        for place in held
    ]


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def cross_validated(
    texts: Sequence[Text], table: Taught, harmless: Floats, penalty: float, encode: Encode, seed: int
) -> dict[str, Floats]:
    """Danger of each text by the coefficients of the other folds: alone, and in a letter by way of reading it."""
    rng = np.random.default_rng(seed)
    fold = rng.permutation(len(texts)) % FOLDS
    found = {name: np.zeros(len(texts)) for name in ("alone", "whole", "sentences", "both")}
    for held in range(FOLDS):
        kept, out = fold != held, np.flatnonzero(fold == held)
        reader = fit(Taught(table.inputs[kept], table.kinds[kept]), harmless, penalty)
        found["alone"][out] = danger(reader.odds(table.inputs[out]))
        for place, letter in zip(out, letters(texts, list(out), rng), strict=True):
            told = danger(reader.odds(rows(units(letter), encode))) if units(letter) else np.zeros(2)
            found["whole"][place], found["sentences"][place], found["both"][place] = told[0], told[1:].max(), told.max()
    return found


def rates(found: Mapping[str, Floats], dangerous: Bools) -> tuple[float, dict[str, float]]:
    """The threshold of the price, and the share that is missed and wrongly raised there."""
    threshold = float(np.quantile(found["alone"][~dangerous], 1 - PRICE))
    figures = {}
    for name, values in found.items():
        figures[f"missed_{name}"] = float((values[dangerous] < threshold).mean())
        figures[f"false_{name}"] = float((values[~dangerous] >= threshold).mean())
        figures[f"auc_{name}"] = auc(dangerous, values)
    return threshold, {name: round(value, 3) for name, value in figures.items()}


def on_training(reader: Reader, texts: Sequence[Text], encode: Encode) -> dict[str, int]:
    """How many of the texts are missed or raised wrongly by the reader that was fitted on them."""
    heard = [bool(reader.hear(text.text, encode)) for text in texts]
    return {
        "texts": len(texts),
        "missed": sum(bool(text.kinds) and not any_ for text, any_ in zip(texts, heard, strict=True)),
        "false": sum(not text.kinds and any_ for text, any_ in zip(texts, heard, strict=True)),
    }


def content_of(reader: Reader, figures: Mapping[str, Any]) -> str:
    """JSON with one line a kind."""
    head = json.dumps({"data": "written for Medattest, MIT; MedQuAD, CC BY 4.0", **figures}, indent=1)[:-2]
    lines = ",\n".join(
        f"  {json.dumps(kind)}: {json.dumps(row.tolist(), separators=(',', ':'))}"
        for kind, row in zip(reader.kinds, reader.coefficients, strict=True)
    )
    return f'{head},\n "threshold": {reader.threshold},\n "coefficients": {{\n{lines}\n }}\n}}\n'


def main() -> None:
    """Fit, measure, and write ``chains/safety/coefficients.json``."""
    parser = argparse.ArgumentParser(description="Fit the learned reader of chains/safety.")
    parser.add_argument("--questions", type=Path, required=True, help="harmless questions: medquad_open.jsonl")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    parser.add_argument("--n", type=int, default=3000, help="harmless questions that take part; the rest measures")
    parser.add_argument("--seed", type=int, default=0, help="of folds and samples")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    encode = MiniLM.load(given.home, 2).encode
    texts = training_texts()
    table = taught(texts, encode)
    asked = [found[0] for found in map(units, sorted(set(questions(given.questions)))) if found]
    order = np.random.default_rng(given.seed).permutation(len(asked))
    real = rows([asked[place] for place in order], encode)
    harmless, measuring = real[: given.n], real[given.n :]
    tried = {}
    for penalty in PENALTIES:
        found = cross_validated(texts, table, harmless, penalty, encode, given.seed)
        tried[penalty] = rates(found, table.dangerous)
        print(f"penalty {penalty}: threshold {tried[penalty][0]:.3f}, {tried[penalty][1]}", flush=True)
    fewest = min(figures["missed_alone"] for _, figures in tried.values())
    best = max(penalty for penalty in tried if tried[penalty][1]["missed_alone"] <= fewest + CLOSE)
    threshold, held_out = tried[best]
    reader = fit(table, harmless, best, round(threshold, 3))
    figures = {
        "penalty": best,
        "held_out": held_out,
        "false_of_other_questions": round(float((danger(reader.odds(measuring)) >= reader.threshold).mean()), 5),
        "on_training": on_training(reader, texts, encode),
    }
    print(json.dumps(figures, indent=1))
    content = content_of(reader, figures)
    reader_from(json.loads(content))
    if not given.dry:
        FILE.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
