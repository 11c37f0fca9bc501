"""A BM25 index of passages over stems, as flat arrays that are mapped from disk.

Robertson's BM25 (Robertson & Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond, eq. 3.15) with
Lucene's idf, ``ln(1 + (N - df + 0.5) / (df + 0.5))``, which is never negative (Kamphuis et al. 2020, Which BM25 Do You
Mean?). Title and text are two fields of one length and one frequency, the title's words counting ``TITLE_WEIGHT`` times
(Robertson, Zaragoza & Taylor 2004). Three things differ, each measured by ``eval.retrieval`` on SciFact and BioASQ:

- a query's stop words are left out, and a word that it repeats counts once;
- idf is raised to ``IDF_POWER``: in a biomedical question the name of the gene, drug or disease decides; more than this
  loses on MedQuAD what is asked of it (symptoms, treatment), whose words are common there;
- a score is a share of the highest that any passage could have, so that it means the same for every query: 0 has
  none of its words, 1 would be all of them without end.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreCorrupted
from core.text import content_terms, terms

K1 = 0.8
B = 0.5
TITLE_WEIGHT = 2
IDF_POWER = 1.3
FORMAT = 1
PARTS = ("vocabulary.txt", "offsets.npy", "passages.npy", "weights.npy")

Floats = NDArray[np.float32]
Places = NDArray[np.int32]
Offsets = NDArray[np.int64]


class LexicalIndex:
    """Postings by term: ``weights[offsets[t]:offsets[t + 1]]`` is what term t gives to the passages named there."""

    def __init__(
        self, size: int, vocabulary: Mapping[str, int], offsets: Offsets, passages: Places, weights: Floats
    ) -> None:
        """Take the parts as ``build`` or ``load`` makes them; ``size`` is the number of passages."""
        self.size = size
        self._vocabulary = vocabulary
        self._offsets = offsets
        self._passages = passages
        self._weights = weights

    @classmethod
    def build(cls, texts: Sequence[str], titles: Sequence[str] | None = None) -> LexicalIndex:
        """Index passages, each by its place in ``texts``; ``titles`` are as many, an empty one where there is none."""
        if titles is not None and len(titles) != len(texts):
            raise ValueError(f"{len(texts)} texts with {len(titles)} titles: give as many, or none")
        vocabulary: dict[str, int] = {}
        columns, counts, sizes = array("i"), array("i"), array("i")
        for row, text in enumerate(texts):
            bag = Counter(terms(text))
            for term in terms(titles[row]) if titles else ():
                bag[term] += TITLE_WEIGHT
            columns.extend(vocabulary.setdefault(term, len(vocabulary)) for term in bag)
            counts.extend(bag.values())
            sizes.append(len(bag))
        column_of = np.array(columns, dtype=np.int32)
        row_of = np.repeat(np.arange(len(texts), dtype=np.int32), np.array(sizes, dtype=np.int32))
        weights = _bm25(np.array(counts, dtype=np.float32), row_of, column_of, len(texts), len(vocabulary))
        order = np.argsort(column_of, kind="stable")
        offsets = np.zeros(len(vocabulary) + 1, dtype=np.int64)
        np.cumsum(np.bincount(column_of, minlength=len(vocabulary)), out=offsets[1:])
        return cls(len(texts), vocabulary, offsets, row_of[order], weights[order])

    def scores(self, query: str) -> Floats:
        """BM25 of every passage as a share of what it could be at most, shape (size,), in [0, 1).

        Words that no passage has make every share smaller. Stop words count only in a query without other words.
        """
        scores = np.zeros(self.size, dtype=np.float32)
        attainable = 0.0
        for term in dict.fromkeys(content_terms(query) or terms(query)):
            attainable += self.idf(term) ** IDF_POWER
            column = self._vocabulary.get(term)
            if column is not None:
                start, end = self._offsets[column], self._offsets[column + 1]
                scores[self._passages[start:end]] += self._weights[start:end]
        return scores / np.float32(attainable) if attainable else scores

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best passages that share a word with the query, as (place, score); ties keep the passages' order."""
        scores = self.scores(query)
        return [(int(place), float(scores[place])) for place in best(scores, k) if scores[place] > 0]

    def idf(self, term: str) -> float:
        """Lucene's idf of a stem; that of a word in no passage where the index lacks it."""
        column = self._vocabulary.get(term)
        frequency = 0 if column is None else int(self._offsets[column + 1] - self._offsets[column])
        return float(np.log1p((self.size - frequency + 0.5) / (frequency + 0.5)))

    def save(self, folder: Path) -> None:
        """Write the index into a folder, made where it is missing; ``index.json``, which seals it, comes last."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("offsets", "passages", "weights"):
            np.save(folder / f"{name}.npy", getattr(self, f"_{name}"))
        (folder / "vocabulary.txt").write_text("\n".join(self._vocabulary), encoding="utf-8")
        head = {"format": FORMAT, "size": self.size, "checksums": {part: _checksum(folder / part) for part in PARTS}}
        (folder / "index.json").write_text(json.dumps(head), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """Map a saved index; raise StoreCorrupted where it is damaged, incomplete or of another format."""
        try:
            head = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            if head["format"] != FORMAT:
                raise ValueError(f"format {head['format']}, not {FORMAT}")
            damaged = [part for part in PARTS if _checksum(folder / part) != head["checksums"][part]]
            if damaged:
                raise ValueError(f"{', '.join(damaged)} damaged")
            lines = (folder / "vocabulary.txt").read_text(encoding="utf-8")
            vocabulary = {term: column for column, term in enumerate(lines.split("\n"))} if lines else {}
            offsets, passages, weights = (
                np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
                for name in ("offsets", "passages", "weights")
            )
            return cls(int(head["size"]), vocabulary, offsets, passages, weights)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreCorrupted(f"the lexical index in {folder} cannot be read ({error}); index again") from error


def best(scores: Floats, k: int) -> NDArray[np.intp]:
    """Places of the k highest scores, falling; equal scores keep their order."""
    if k <= 0:
        return np.zeros(0, dtype=np.intp)
    if k >= len(scores):
        return np.argsort(-scores, kind="stable")
    floor = np.partition(scores, len(scores) - k)[len(scores) - k]
    candidates = np.flatnonzero(scores >= floor)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:k]


def _checksum(file: Path) -> int:
    """CRC-32 of a file, which finds accidents, not attacks."""
    return zlib.crc32(file.read_bytes())


def _bm25(frequency: Floats, row_of: Places, column_of: Places, size: int, terms_in_all: int) -> Floats:
    """Weight of each (passage, term) pair from its frequency."""
    if not len(frequency):
        return frequency
    length = np.bincount(row_of, weights=frequency, minlength=size)
    documents = np.bincount(column_of, minlength=terms_in_all)
    idf = np.log1p((size - documents + 0.5) / (documents + 0.5)) ** IDF_POWER
    norm = K1 * (1 - B + B * length / length.mean())
    weights = idf[column_of] * frequency / (frequency + norm[row_of])
    return np.asarray(weights, dtype=np.float32)
