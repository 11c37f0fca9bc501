"""How near two texts are by the vectors of their tokens and words.

BERTScore (Zhang et al. 2020) without weighting by rarity, as its authors' package scores by default: special tokens may
be matched but do not count. Embedding average, vector extrema (Forgues et al. 2014) and greedy matching (Rus & Lintean
2012) are as Liu et al. 2016 have them; a word's vector is the mean of its pieces'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.metrics.base import Pair
from eval.metrics.scorers import Scorers, TokenVectors

Vectors = NDArray[np.float64]


def bertscores(pairs: Sequence[Pair], by: Scorers) -> list[dict[str, float]]:
    """BERTScore's precision, recall and F1; of several targets the one with the best F1."""
    return [max(found, key=lambda f: f["bertscore_f1"]) for found in _compared(pairs, by, _bertscore)]


def word_similarities(pairs: Sequence[Pair], by: Scorers) -> list[dict[str, float]]:
    """The three measures on word vectors; of several targets each takes its best."""
    compared = _compared(pairs, by, _similarities)
    return [{name: max(each[name] for each in found) for name in found[0]} for found in compared]


def _compared(
    pairs: Sequence[Pair], by: Scorers, measure: Callable[[TokenVectors, TokenVectors], dict[str, float]]
) -> list[list[dict[str, float]]]:
    if by.encoder is None:
        raise ValueError("these metrics need an encoder")
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.text, *pair.targets)))
    read = dict(zip(texts, by.encoder.tokens(texts), strict=True))
    return [[measure(read[pair.text], read[target]) for target in pair.targets] for pair in pairs]


def _bertscore(said: TokenVectors, wanted: TokenVectors) -> dict[str, float]:
    own, other = said.words >= 0, wanted.words >= 0
    if not own.any() or not other.any():
        return dict.fromkeys(("bertscore_p", "bertscore_r", "bertscore_f1"), 0.0)
    near = _unit(said.vectors.astype(np.float64)) @ _unit(wanted.vectors.astype(np.float64)).T
    p, r = float(near.max(axis=1)[own].mean()), float(near.max(axis=0)[other].mean())
    return {"bertscore_p": p, "bertscore_r": r, "bertscore_f1": 2 * p * r / (p + r) if p + r else 0.0}


def _similarities(said: TokenVectors, wanted: TokenVectors) -> dict[str, float]:
    a, b = _words(said), _words(wanted)
    if not len(a) or not len(b):
        return dict.fromkeys(("embedding_average", "vector_extrema", "greedy_matching"), 0.0)
    near = _unit(a) @ _unit(b).T
    return {
        "embedding_average": _cosine(a.mean(axis=0), b.mean(axis=0)),
        "vector_extrema": _cosine(_extrema(a), _extrema(b)),
        "greedy_matching": float(near.max(axis=1).mean() + near.max(axis=0).mean()) / 2,
    }


def _words(text: TokenVectors) -> Vectors:
    """Vectors of words (words by dimensions)."""
    inside = text.words >= 0
    found, place = np.unique(text.words[inside], return_inverse=True)
    sums = np.zeros((len(found), text.vectors.shape[1]))
    np.add.at(sums, place, text.vectors[inside])
    means: Vectors = sums / np.bincount(place, minlength=len(found))[:, None]
    return means


def _extrema(vectors: Vectors) -> Vectors:
    """In each dimension the value that is farthest from zero; of two as far, the positive one."""
    high, low = vectors.max(axis=0), vectors.min(axis=0)
    farthest: Vectors = np.where(high >= -low, high, low)
    return farthest


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit


def _cosine(a: Vectors, b: Vectors) -> float:
    return float(_unit(a) @ _unit(b))
