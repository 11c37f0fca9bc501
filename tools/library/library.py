"""The library, searched: BM25 and embeddings over every passage at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Embedder, encode_queries
from core.fusion import fuse
from core.lexical import best
from core.schema import Evidence
from tools.library.index import LibraryIndex, Progress, Row, open_index
from tools.library.shipped import DATA, Corpus, Sheet, read_sheet

DENSE_WEIGHT = 0.5
"""Share of the cosine in a passage's score."""
OLDER = 0.1
"""What a passage of an older corpus must have more than one of the newest to stand before it."""

SPARE = 2
"""How many times as many passages are looked at as are wanted: some stand in several documents."""

Floats = NDArray[np.float32]


class Library:
    """The texts that ship; safe to search from several threads. ``embedder`` is the one that made the vectors."""

    def __init__(
        self, home: Path, embedder: Callable[[], Embedder], progress: Progress = lambda _: None, data: Path = DATA
    ) -> None:
        """Name what it works with; nothing is opened, and the embedder is asked for when a question comes."""
        self._home = home
        self._embedder = embedder
        self._progress = progress
        self._data = data
        self._opened: LibraryIndex | None = None
        self._guard = threading.Lock()

    def sheet(self) -> Sheet:
        """What ships, with versions, licences and counts; DataMissing where the sheet cannot be read."""
        return read_sheet(self._data)

    def open(self) -> LibraryIndex:
        """The index, made at first use; errors as in ``open_index``."""
        with self._guard:
            if self._opened is None:
                self._opened = open_index(self._home, self._progress, self._data)
            return self._opened

    def search(self, queries: Sequence[str], k: int, *, dense: bool = False) -> list[Evidence]:
        """The k best passages over all queries by falling score, what stands in several but once.

        With ``dense`` those of the highest cosine. ``score`` is the fused one, in [0, 1].
        """
        asked = list(dict.fromkeys(query for query in queries if query.strip()))
        if not asked or k < 1:
            return []
        index = self.open()
        vectors = encode_queries(self._embedder(), asked)
        cosines = np.ascontiguousarray((index.matrix @ vectors.T).T)
        lexical = np.zeros_like(cosines) if dense else np.stack([index.lexical.scores(query) for query in asked])
        weight = 1.0 if dense else DENSE_WEIGHT
        scores = fuse(cosines, lexical, weight)
        return self._found(index, asked, scores, k)

    def vectors(self, evidence_ids: Sequence[str]) -> Floats:
        """The embeddings of passages (passages by dimensions); InputError for one that is not there."""
        index = self.open()
        return index.matrix[[index.row(evidence_id) for evidence_id in evidence_ids]]

    def _order(self, index: LibraryIndex, scores: Floats) -> Floats:
        """What passages are ordered by: their best score, that of an older text a little less."""
        order: Floats = scores.max(axis=0)
        order -= np.float32(OLDER) * (index.corpus_of(np.arange(index.size)) > 0)
        return order

    def _found(self, index: LibraryIndex, asked: Sequence[str], scores: Floats, k: int) -> list[Evidence]:
        places = best(self._order(index, scores), SPARE * k)
        places = places[scores[:, places].max(axis=0) > 0]
        found: dict[str, Evidence] = {}
        for place, number, row in zip(places, index.corpus_of(places), index.read(places.tolist()), strict=True):
            query = asked[int(scores[:, place].argmax())]
            evidence = _evidence(row, index.sheet.corpora[number], query, float(scores[:, place].max()))
            found.setdefault(row.text, evidence)
        return list(found.values())[:k]


def _evidence(row: Row, corpus: Corpus, query: str, score: float) -> Evidence:
    return Evidence(
        id=row.id,
        text=row.text,
        title=row.title,
        url=row.url,
        published=corpus.published,
        source="library",
        licence=corpus.licence,
        query=query,
        score=score,
        owner=row.owner or corpus.owner,
    )
