"""Fits the learned reader of ``chains/safety`` on texts written for it, and measures the fit.

The texts are those of ``eval/data/safety_training.jsonl``, written by several hands, and the part ``tuned`` of
``safety.jsonl`` (its other parts are left for one measurement each), with real harmless questions at a small weight
(MedQuAD, CC BY 4.0). What one hand wrote is measured by the coefficients of the others, as it stands and as one text
among four harmless ones (a letter). The threshold is the one at which the share ``PRICE`` of the harmless texts, more
than half of them look-alikes, would raise an alarm when held out.

    python -m eval.experiments.safety_fit --questions medquad_open.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from chains.safety import Kind
from chains.safety.learned import (
    FILE,
    Floats,
    Reader,
    danger,
    log_odds_of,
    reader_from,
    rows,
    units,
    words_of,
)
from core.embeddings import Encode, MiniLM
from eval.experiments.safety import DATA, TRAINING, Text, questions, read
from eval.metrics.classification import auc

KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "first_aid")
"""What is learned: first aid that is asked for in general is a matter of rules."""
PRICE = 0.15
PENALTY = 0.1
"""Of 0.05, 0.1 and 0.2 the misses of other hands' texts were alike."""
SCALE = 0.3
"""How large a word stands beside the embedding while the penalty is shared: of rare words little is learned."""
LEAST_TEXTS = 3
"""Texts that a word must stand in to be learned."""
WEIGHT = 0.1
HEARD_AGAIN = 5
AROUND = 4
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Taught:
    """Texts as inputs (texts by inputs), which kinds each should raise (texts by kinds, 0 or 1), and who wrote each."""

    inputs: Floats
    kinds: Floats
    hands: NDArray[np.str_]

    @property
    def dangerous(self) -> Bools:
        """Whether a text should raise anything."""
        return np.asarray(self.kinds.any(axis=1))


def training_texts() -> list[Text]:
    """What the reader is taught, without the case reports that are never read."""
    texts = [text for text in read(DATA) if text.part == "tuned"] + read(TRAINING)
    return [replace(text, kinds=text.kinds & set(KINDS)) for text in texts if units(text.text)]


def vocabulary(texts: Sequence[Text]) -> list[str]:
    """The words that stand in several texts, in order."""
    counts = Counter(word for text in texts for word in words_of(text.text))
    return sorted(word for word, count in counts.items() if count >= LEAST_TEXTS)


def taught(texts: Sequence[Text], encode: Encode, words: Sequence[str]) -> Taught:
    """The texts, each read as a whole."""
    kinds = [[float(kind in text.kinds) for kind in KINDS] for text in texts]
    inputs = rows([units(text.text)[0] for text in texts], encode, words)
    return Taught(inputs, np.array(kinds), np.array([text.part for text in texts]))


def fit_multinomial(inputs: Floats, kinds: Floats, weights: Floats, penalty: float, words: int = 0) -> Floats:
    """Ridge-penalised maximum likelihood (kinds by inputs and intercept), relative to texts of no kind.

    A text of several kinds counts as an equal part of each. The last ``words`` inputs are words.
    """
    shares = np.hstack([kinds, 1.0 - kinds.any(axis=1, keepdims=True)])
    shares /= shares.sum(axis=1, keepdims=True)
    scales = np.ones(inputs.shape[1] + 1)
    scales[inputs.shape[1] - words : -1] = SCALE
    with_one = csr_matrix(np.hstack([inputs, np.ones((len(inputs), 1))]) * scales)
    size = (shares.shape[1], with_one.shape[1])

    def loss(values: Floats) -> tuple[float, Floats]:
        table = values.reshape(size)
        logits = with_one @ table.T
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        slope = np.asarray((with_one.T @ ((np.exp(logs) - shares) * weights[:, None])).T)
        slope[:, :-1] += 2 * penalty * table[:, :-1]
        cost = -(weights[:, None] * shares * logs).sum() + penalty * (table[:, :-1] ** 2).sum()
        return float(cost), slope.ravel()

    table = minimize(loss, np.zeros(size[0] * size[1]), jac=True, method="L-BFGS-B").x.reshape(size)
    return np.asarray(np.round((table[:-1] - table[-1]) * scales, 2))


def fit(texts: Taught, harmless: Floats, words: Sequence[str], threshold: float = 0.5) -> Reader:
    """A reader of texts and of harmless questions, which weigh little."""
    inputs = np.vstack([texts.inputs, harmless])
    kinds = np.vstack([texts.kinds, np.zeros((len(harmless), texts.kinds.shape[1]))])
    weights = np.append(np.ones(len(texts.inputs)), np.full(len(harmless), WEIGHT))
    return Reader(KINDS, fit_multinomial(inputs, kinds, weights, PENALTY, len(words)), tuple(words), threshold)


def letters(texts: Sequence[Text], held: Sequence[int], rng: np.random.Generator) -> list[str]:
    """Each of the held texts among four harmless ones that are held too."""
    harmless = [place for place in held if not texts[place].kinds]
    return [
        " ".join(_ended(texts[p].text) for p in rng.permutation([place, *rng.choice(harmless, AROUND, replace=False)]))
        for place in held
    ]


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def told_of(text: str, reader: Reader, encode: Encode) -> tuple[float, float]:
    """Log-odds of danger of a text as a whole, and of its worst sentence."""
    told = log_odds_of(reader.odds(rows(units(text), encode, reader.words))) if units(text) else np.array([-9.0])
    return float(told[0]), float(told[1:].max() if len(told) > 1 else told[0])


def cross_validated(
    texts: Sequence[Text],
    table: Taught,
    harmless: Floats,
    words: Sequence[str],
    encode: Encode,
    seed: int,
) -> dict[str, Floats]:
    """Probability of danger of each text by the coefficients of the other hands: alone, and in a letter."""
    rng = np.random.default_rng(seed)
    found = {name: np.zeros(len(texts)) for name in ("whole", "sentence", "both", "letter")}
    for hand in sorted(set(table.hands)):
        kept, out = table.hands != hand, np.flatnonzero(table.hands == hand)
        reader = fit(Taught(table.inputs[kept], table.kinds[kept], table.hands[kept]), harmless, words)
        for place, letter in zip(out.tolist(), letters(texts, out.tolist(), rng), strict=True):
            whole, worst = told_of(texts[place].text, reader, encode)
            found["whole"][place], found["sentence"][place] = whole, worst
            found["both"][place], found["letter"][place] = (whole + worst) / 2, sum(told_of(letter, reader, encode)) / 2
    return {name: 1 / (1 + np.exp(-values)) for name, values in found.items()}


def rates(found: Mapping[str, Floats], dangerous: Bools) -> tuple[float, dict[str, float]]:
    """The threshold of the price, and the share that is missed and wrongly raised there."""
    threshold = float(np.quantile(found["both"][~dangerous], 1 - PRICE))
    figures = {}
    for name, values in found.items():
        figures[f"missed_{name}"] = float((values[dangerous] < threshold).mean())
        figures[f"false_{name}"] = float((values[~dangerous] >= threshold).mean())
        figures[f"auc_{name}"] = auc(dangerous, values)
    return threshold, {name: round(value, 3) for name, value in figures.items()}


def on_training(reader: Reader, texts: Sequence[Text], encode: Encode) -> dict[str, int]:
    """How many of a share of the texts are missed or raised wrongly by the reader that was fitted on all."""
    some = texts[::HEARD_AGAIN]
    heard = [bool(reader.hear(text.text, encode)) for text in some]
    return {
        "texts": len(some),
        "missed": sum(bool(text.kinds) and not any_ for text, any_ in zip(some, heard, strict=True)),
        "false": sum(not text.kinds and any_ for text, any_ in zip(some, heard, strict=True)),
    }


def content_of(reader: Reader, figures: Mapping[str, Any]) -> str:
    """JSON with one line a kind, and one a word with a coefficient for each kind."""
    head = json.dumps({"data": "written for Medattest, MIT; MedQuAD, CC BY 4.0", **figures}, indent=1)[:-2]
    end = reader.coefficients.shape[1] - 1
    first = end - len(reader.words)
    rest = np.delete(reader.coefficients, np.arange(first, end), axis=1)
    kinds = _lines(dict(zip(reader.kinds, rest, strict=True)))
    words = _lines(dict(zip(reader.words, reader.coefficients[:, first:end].T, strict=True)))
    parts = f' "threshold": {reader.threshold},\n "coefficients": {{\n{kinds}\n }},\n "words": {{\n{words}\n }}'
    return f"{head},\n{parts}\n}}\n"


def _lines(named: Mapping[str, Floats]) -> str:
    return ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(row.tolist(), separators=(',', ':'))}" for name, row in named.items()
    )


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
    words = vocabulary(texts)
    table = taught(texts, encode, words)
    asked = [found[0] for found in map(units, sorted(set(questions(given.questions)))) if found]
    order = np.random.default_rng(given.seed).permutation(len(asked))
    real = rows([asked[place] for place in order], encode, words)
    harmless, measuring = real[: given.n], real[given.n :]
    threshold, held_out = rates(cross_validated(texts, table, harmless, words, encode, given.seed), table.dangerous)
    reader = fit(table, harmless, words, round(threshold, 3))
    figures = {
        "penalty": PENALTY,
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
