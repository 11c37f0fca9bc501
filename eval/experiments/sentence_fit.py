"""Fits which sentence of a passage answers (``chains/relevance/sentences.py``), and measures it within passages.

It learns from passages of ``eval/data/judged`` whose sentences were judged by hand, for questions that the reader did
not learn from. What counts is which sentence of a passage seems best; each fifth is measured by the others' fit.

    python -m eval.experiments.sentence_fit
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from chains.answer.sentences import in_context
from chains.relevance.model import logistic
from chains.relevance.sentences import FILE, known_sentences, sentence_signals
from core.settings import load_settings
from eval.experiments.relevance_fit import fit_logistic
from eval.training.judged import SENTENCE as SHARES
from eval.training.judged import Sentences, graded_sentences, judged, reading, topical, unlearnt
from graphs.resources import Resources

MODELS = {"sentence": ("similar", "opens", "known", "read"), "sentence_unread": ("similar", "opens", "known")}
MOST = 1200
FOLDS = 5
ANSWERS = 2
PENALTY = 0.05
Floats = NDArray[np.float64]


class Passage(NamedTuple):
    """The signals of a passage's sentences, and their grades."""

    signals: list[dict[str, float]]
    grades: Sequence[int]


def passages(resources: Resources, most: int, seed: int) -> list[Passage]:
    """Passages in which a sentence answers, and not all do; what is known of each is what other questions tell."""
    text_of, rng = reading(resources), random.Random(seed)
    found, written = (_telling(graded_sentences(text_of, unlearnt(all_of))) for all_of in (judged(), topical()))
    drawn = [*found, *rng.sample(written, min(len(written), most))]
    encode, read = resources.minilm.encode, resources.readers.answers
    return [
        Passage(
            sentence_signals(
                one.question,
                in_context(one.sentences),
                one.title,
                encode=encode,
                read=read,
                known=_known(resources, one),
                begins=resources.library.begins(one.passage),
            ),
            one.grades,
        )
        for one in drawn
    ]


def _telling(graded: Iterable[Sentences]) -> list[Sentences]:
    """Passages in which a sentence answers, and not all do."""
    return [one for one in graded if one.grades and min(one.grades) < ANSWERS == max(one.grades)]


def _known(resources: Resources, one: Sentences) -> list[float]:
    """How surely the sentences answer a question like this, as others tell that were written for the passage."""
    (known,) = resources.library.known(one.question, [one.passage], apart=True)
    return known_sentences(known.similar, known.grades, one.spans)


def fitted(rows: Sequence[Passage], names: Sequence[str]) -> dict[str, float]:
    """The coefficients by which the sentences that answer are likeliest chosen, scaled to how likely each answers.

    The choice among the sentences of one passage is a conditional logit (McFadden, 1974), the scale Platt's (1999).
    """
    matrices = [np.array([[signals[name] for name in names] for signals in row.signals]) for row in rows]
    answering = [np.array(row.grades) == ANSWERS for row in rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        lost, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
        for matrix, answers in zip(matrices, answering, strict=True):
            z = matrix @ weights
            lost += float(logsumexp(z) - logsumexp(z[answers]))
            slope = slope + softmax(z) @ matrix - softmax(z[answers]) @ matrix[answers]
        return lost, slope

    weights = minimize(loss, np.ones(len(names)), jac=True, bounds=[(0.0, None)] * len(names)).x
    scores = [{"z": float(z)} for matrix in matrices for z in matrix @ weights]
    scale = fit_logistic(scores, [SHARES[grade] for row in rows for grade in row.grades], ("z",))
    chosen = {name: round(float(weight) * scale["z"], 4) for name, weight in zip(names, weights, strict=True)}
    return {**chosen, "intercept": scale["intercept"]}


def best_grades(rows: Sequence[Passage], model: Mapping[str, float]) -> list[int]:
    """The grade of the sentence of each passage that seems best."""
    return [row.grades[int(np.argmax([logistic(model, s) for s in row.signals]))] for row in rows]


def crossed(rows: Sequence[Passage], names: Sequence[str]) -> dict[str, float]:
    """How often the best sentence answers, and how often it pads, by coefficients fitted without its passage."""
    grades: list[int] = []
    for fold in range(FOLDS):
        kept = [row for place, row in enumerate(rows) if place % FOLDS != fold]
        grades += best_grades(rows[fold::FOLDS], fitted(kept, names))
    return {"answers": round(grades.count(ANSWERS) / len(grades), 3), "pads": round(grades.count(0) / len(grades), 3)}


def main() -> None:
    """Fit, measure, and write ``chains/relevance/sentences.json``."""
    parser = argparse.ArgumentParser(description="Fit the choice of sentences.")
    parser.add_argument("--most", type=int, default=MOST, help="passages that questions were written for")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    given = parser.parse_args()
    resources = Resources(load_settings())
    rows = passages(resources, given.most, given.seed)
    resources.close()
    first = [row.grades[0] for row in rows]
    content = {
        "data": "sentences of MedlinePlus and MedQuAD judged for this project",
        "passages": len(rows),
        "folds": {name: crossed(rows, names) for name, names in MODELS.items()}
        | {"the first sentence": {"answers": round(first.count(ANSWERS) / len(first), 3)}},
        "models": {name: fitted(rows, names) for name, names in MODELS.items()},
    }
    print(json.dumps(content, indent=1))
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
