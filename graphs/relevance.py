"""What passages and their sentences are weighed with: their vectors, and the questions they are known to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chains.answer.sentences import Unit, in_context
from chains.form import read_form
from chains.relevance import sentence_scores
from chains.relevance.sentences import known_sentences, settled
from core.errors import InputError
from core.schema import Evidence
from tools.library.library import UNKNOWN, Known

if TYPE_CHECKING:
    from core.embeddings import Matrix
    from graphs.resources import Resources


_WHAT_IT_IS = "definition"


class Relevance:
    """Over one set of resources."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def vectors(self, evidence: Sequence[Evidence]) -> Matrix:
        """Embeddings of evidence by the embedder that is built in, which relevance was fitted with."""
        return self._resources.vectors(evidence, by=self._resources.minilm)

    def known(self, question: str, evidence: Sequence[Evidence]) -> Sequence[float]:
        """How near the nearest question is that each piece is known to answer, 0 where none is."""
        return [known.similar for known in self._known(question, evidence)]

    def answered(self, question: str, evidence: Sequence[Evidence]) -> float:
        """By how much likelier the library answers a question than not, by those it was asked; 0 without its pieces."""
        return self._resources.library.answered(question) if any(e.source == "library" for e in evidence) else 0.0

    def sentence_scores(self, question: str, units: Sequence[Unit]) -> Sequence[float]:
        """How likely each piece of one passage answers a question, by itself and under the passage's title."""
        passage = units[0].evidence
        (known,) = self._known(question, [passage])
        spans = [(unit.start, unit.end) for unit in units]
        scores = sentence_scores(
            question,
            in_context([unit.text for unit in units]),
            passage.title,
            encode=self._resources.minilm.encode,
            read=self._resources.readers.answers,
            known=known_sentences(known.similar, known.grades, spans),
            begins=self._begins(passage),
        )
        form = read_form(question)
        # What a thing is, a page tells in more than the sentences that define it.
        defines = form is not None and form.aspect == _WHAT_IT_IS
        return scores if defines else settled(scores, known.similar, known.grades, spans)

    def _begins(self, piece: Evidence) -> bool:
        """Whether a piece goes on with nothing that another begins under the same title."""
        try:
            return piece.source != "library" or self._resources.library.begins(piece.id)
        except InputError:  # a piece of another library than this one
            return True

    def _known(self, question: str, evidence: Sequence[Evidence]) -> list[Known]:
        ids = [piece.id for piece in evidence if piece.source == "library"]
        try:
            found = dict(zip(ids, self._resources.library.known(question, ids), strict=True)) if ids else {}
        except InputError:  # a piece of another library than this one
            found = {}
        return [found.get(piece.id, UNKNOWN) for piece in evidence]
