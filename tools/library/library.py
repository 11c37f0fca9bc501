"""The library, searched: BM25 and embeddings over every passage at once, and over the questions that these answer.

What people ask has other words than what answers it. So a passage is also found by the questions that were written for
it (document expansion: Nogueira et al., 2019, whose model wrote them), as near as the nearest of them is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Embedder, encode_queries
from core.fusion import fuse
from core.lexical import best
from core.memo import VectorMemo
from core.schema import MAX_QUESTION_CHARS, Evidence
from tools.library.index import LibraryIndex, Progress, Row, open_index
from tools.library.shipped import DATA, Corpus, Sheet, read_sheet

DENSE_WEIGHT = 0.5
"""Share of the cosine in a passage's score."""
OLDER = 0.1
"""What a passage of an older corpus must have more than one of the newest to stand before it."""

QUESTION_LESS = 0.15
"""Questions are nearer to each other than to what answers them: what is taken off their cosine to compare it."""

SAME = 0.98
"""The cosine of a question and itself, of which one is kept in four bits, is above that."""

SPARE = 2
"""How many times as many passages are looked at as are wanted: some stand in several documents."""

_QUESTIONS_HEARD = 16
"""Questions whose cosines to all that were written are kept: 160 kB each."""

Floats = NDArray[np.float32]


class Known(NamedTuple):
    """The question nearest to one that is asked, among those that a passage answers.

    ``similar`` is their cosine, 0 where there is none; ``grades`` say by where its sentences begin how far they answer
    it: 2 answers, 1 belongs to the answer.
    """

    similar: float
    grades: Mapping[int, int]


UNKNOWN = Known(0.0, {})


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
        self._heard = VectorMemo[str](_QUESTIONS_HEARD, MAX_QUESTION_CHARS)

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
        _raised_by_questions(cosines, index, vectors)
        lexical = np.zeros_like(cosines) if dense else np.stack([index.lexical.scores(query) for query in asked])
        weight = 1.0 if dense else DENSE_WEIGHT
        scores = fuse(cosines, lexical, weight)
        return self._found(index, asked, scores, k)

    def vectors(self, evidence_ids: Sequence[str]) -> Floats:
        """The embeddings of passages (passages by dimensions); InputError for one that is not there."""
        index = self.open()
        return index.matrix[[index.row(evidence_id) for evidence_id in evidence_ids]]

    def known(self, question: str, evidence_ids: Sequence[str], *, apart: bool = False) -> list[Known]:
        """What each passage is known to answer that is nearest to a question; InputError for one that is not there.

        With ``apart`` the question itself is left out, where it is one of those: so fits see what others give.
        """
        index, similar = self.open(), self._similar(question)
        if apart:
            similar = np.where(similar > SAME, np.float32(0.0), similar)
        return [_nearest(index, index.row(evidence_id), similar) for evidence_id in evidence_ids]

    def begins(self, evidence_id: str) -> bool:
        """Whether a passage is the first of its document under its title; InputError for one that is not there."""
        index = self.open()
        return index.begins(index.row(evidence_id))

    def answered(self, question: str) -> float:
        """By how much the nearest question that a passage answers is nearer than the nearest that none does: cosines.

        0 where no questions were written for the texts, or each was answered or none.
        """
        index = self.open()
        answers = index.answers_question
        if answers.all() or not answers.any():
            return 0.0
        similar = self._similar(question)
        return float(similar[answers].max() - similar[~answers].max())

    def _similar(self, question: str) -> Floats:
        """The cosine of a question to each that was written for the texts: every passage of one run asks for it."""
        known = self._heard.find([question])
        if question not in known:
            similar: Floats = self.open().questions @ encode_queries(self._embedder(), [question])[0]
            self._heard.keep([question], similar[None])
            return similar
        return known[question]

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


def _raised_by_questions(cosines: Floats, index: LibraryIndex, vectors: Floats) -> None:
    """Let a passage be as near to a query (queries by passages) as a question is that it answers."""
    if not len(index.answered):
        return
    rows, numbers = index.answered.T
    firsts = np.flatnonzero(np.diff(rows, prepend=-1))
    near = (vectors @ index.questions.T)[:, numbers] - np.float32(QUESTION_LESS)
    held = cosines[:, rows[firsts]]
    cosines[:, rows[firsts]] = np.maximum(held, np.maximum.reduceat(near, firsts, axis=1))


def _nearest(index: LibraryIndex, row: int, similar: Floats) -> Known:
    start, end = np.searchsorted(index.answered[:, 0], [row, row + 1])
    if start == end:
        return UNKNOWN
    numbers = index.answered[start:end, 1]
    best = int(numbers[similar[numbers].argmax()])
    return Known(float(similar[best]), index.grades(row, best))


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
