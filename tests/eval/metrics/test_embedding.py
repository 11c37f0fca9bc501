"""The measures on vectors against loops over made-up vectors, and the real encoder against what it pools to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.embeddings import Matrix, MiniLM
from eval.metrics import Scored, Scorers, score
from eval.metrics.encoders import TokenReader, minilm_tokens
from eval.metrics.scorers import TokenVectors

NAMES = ("bertscore_p", "bertscore_r", "bertscore_f1", "embedding_average", "vector_extrema", "greedy_matching")


class MadeUp:
    """An encoder whose vectors are drawn from the text; words have two pieces where they are long."""

    name = "made up"

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> TokenVectors:
        places = [n for n, word in enumerate(text.split()) for _ in range(1 + (len(word) > 4))]
        labels = np.array([-1, *places, -1])
        vectors: Matrix = np.random.default_rng(len(text)).normal(size=(len(labels), 8)).astype(np.float32)
        return TokenVectors(vectors, labels)


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(sum(x * y for x, y in zip(a, b, strict=True)) / np.sqrt((a**2).sum() * (b**2).sum()))


def slow(said: TokenVectors, told: TokenVectors) -> dict[str, float]:
    def matched(one: TokenVectors, other: TokenVectors) -> float:
        best = [max(cosine(a, b) for b in other.vectors) for a, w in zip(one.vectors, one.words, strict=True) if w >= 0]
        return sum(best) / len(best)

    def words(text: TokenVectors) -> list[NDArray[np.float64]]:
        return [text.vectors[text.words == w].mean(axis=0, dtype=float) for w in sorted({*text.words} - {-1})]

    def extreme(vectors: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.array([max(column, key=abs) for column in zip(*vectors, strict=True)])

    def near(one: list[NDArray[np.float64]], other: list[NDArray[np.float64]]) -> float:
        return float(np.mean([max(cosine(a, b) for b in other) for a in one]))

    p, r = matched(said, told), matched(told, said)
    a, b = words(said), words(told)
    average = cosine(np.mean(a, axis=0), np.mean(b, axis=0))
    values = (p, r, 2 * p * r / (p + r), average, cosine(extreme(a), extreme(b)), (near(a, b) + near(b, a)) / 2)
    return dict(zip(NAMES, values, strict=True))


def test_they_are_what_slow_loops_say() -> None:
    answer, reference = "metformin lowers blood glucose", "the drug reduces sugar in blood"
    found = score([Scored("1", "", answer, reference, None)], NAMES, Scorers(encoder=MadeUp()))
    expected = slow(*MadeUp().tokens([answer, reference]))
    assert {name: column[0] for name, column in found.items()} == pytest.approx(expected, abs=1e-6)


@pytest.fixture(scope="module")
def encoder(model_home: Path) -> TokenReader:
    return minilm_tokens(model_home, threads=2)


def test_the_tokens_vectors_are_those_that_the_embedder_pools(encoder: TokenReader, embedder: MiniLM) -> None:
    texts = ["Metformin lowers glucose.", "", "Ectopia lentis is a displacement of the lens."]
    for text, found in zip(texts, encoder.tokens(texts), strict=True):
        pooled = found.vectors.mean(axis=0)
        assert pooled / np.linalg.norm(pooled) == pytest.approx(embedder.encode([text])[0], abs=1e-5)


def test_pieces_are_told_by_their_words_also_in_a_long_text(encoder: TokenReader) -> None:
    (short,) = encoder.tokens(["electroencephalography is safe"])
    assert short.words[0] == short.words[-1] == -1
    assert sorted(set(short.words[1:-1].tolist())) == [0, 1, 2]
    (long,) = encoder.tokens(["glucose " * 600])
    assert long.words.tolist().count(-1) == 2 * 3
    assert sorted(set(long.words.tolist())) == list(range(-1, 600))


def test_a_paraphrase_is_nearer_than_another_matter(encoder: TokenReader) -> None:
    reference = "Metformin lowers blood sugar."
    records = [
        Scored("1", "", "Blood glucose is reduced by metformin.", reference, None),
        Scored("2", "", "The parking lot is closed on Sundays.", reference, None),
        Scored("3", "", reference, ("Something else.", reference), None),
        Scored("4", "", "", reference, None),
    ]
    for near, far, same, empty in score(records, NAMES, Scorers(encoder=encoder)).values():
        assert near is not None
        assert far is not None
        assert near > far
        assert same == pytest.approx(1.0, abs=1e-6)
        assert empty == 0.0
