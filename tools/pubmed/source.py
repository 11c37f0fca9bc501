"""PubMed as a source of evidence: abstracts, found by a ladder of queries that ends when enough are found."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import SourceError, SourceTimeout
from core.schema import Concept, Evidence
from core.source import SourceQuery, report_gap
from tools.pubmed.client import DEADLINE, EntrezClient
from tools.pubmed.evidence import evidence_of
from tools.pubmed.filters import Filters
from tools.pubmed.headings import Headings
from tools.pubmed.query import ladder
from tools.pubmed.records import Record
from tools.pubmed.replies import Found
from tools.pubmed.retractions import Retractions

_RRF = 60
"""Cormack, Clarke, Büttcher (2009): how slowly a rank loses weight."""
_log = logging.getLogger(__name__)


class _Hit(NamedTuple):
    record: Record
    query: str


class PubMedSource:
    """Evidence from PubMed, an article's whole abstract a piece.

    Articles without an abstract are left out. Retracted ones are kept and marked: verification lets them support
    nothing, and can only name them where it has seen them.
    """

    def __init__(
        self,
        client: EntrezClient,
        *,
        filters: Filters | None = None,
        retractions: Retractions | None = None,
        headings: Headings | None = None,
        deadline: float = DEADLINE,
        enough: int = 3,
    ) -> None:
        """Ask this client; ``deadline`` is in seconds for one call of ``search``, whatever it takes to answer it.

        Where a query finds fewer than ``enough`` abstracts, a weaker one is asked too.
        """
        self._client = client
        self._filters = filters or Filters()
        self._retractions = retractions or Retractions()
        self._headings = headings or Headings()
        self._deadline = deadline
        self._enough = enough

    @property
    def name(self) -> str:
        """The name that settings, failures and evidence know it by."""
        return "pubmed"

    async def search(self, query: SourceQuery) -> list[Evidence]:
        """Return abstracts by falling relevance, those found for several of the query's texts first.

        The question is searched for by its concepts and words, any further text by its words alone. What could not be
        asked is reported as a gap, unless nothing at all was found: then SourceError is raised. A table of headings or
        of retracted articles that cannot be read is reported as a gap too.
        """
        return await self.find(query, self._filters)

    async def find(self, query: SourceQuery, filters: Filters) -> list[Evidence]:
        """Search under other conditions than those that the source was made with."""
        if query.limit < 1:
            return []
        await asyncio.to_thread(self._load)
        end = time.monotonic() + self._deadline
        cleared = await asyncio.to_thread(lambda: dict.fromkeys(map(self._client.outgoing, query.queries)))
        texts = list(cleared)[: query.live]
        asked = [(text, () if place else query.concepts) for place, text in enumerate(texts)]
        answers = await asyncio.gather(
            *(self._climb(text, concepts, filters, query.limit, end) for text, concepts in asked),
            return_exceptions=True,
        )
        lists: list[list[_Hit]] = []
        failures: list[SourceError] = []
        for answer in answers:
            if isinstance(answer, SourceError):
                failures.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                lists.append(answer)
        if failures and not any(lists):
            raise failures[0]
        for failure in failures:
            _log.warning("pubmed: what one of %d queries finds is missing: %s", len(answers), failure)
            report_gap(failure)
        found = self._fused(lists, query.limit)
        # Where no article was found, no list of the retracted ones is missed.
        for gap in (self._headings.gap, self._retractions.gap if found else None):
            if gap:
                report_gap(gap)
        return found

    async def _climb(
        self, text: str, concepts: Sequence[Concept], filters: Filters, limit: int, end: float
    ) -> list[_Hit]:
        """Articles with abstracts for one text, those of stricter queries first; what is found outlives a failure."""
        hits: dict[str, _Hit] = {}
        for step in ladder(text, concepts, self._headings):
            term = filters.applied(step)
            try:
                if (left := end - time.monotonic()) <= 0:
                    raise SourceTimeout(f"PubMed was not asked all of it within {self._deadline:g} s: try again later")
                answer = await self._client.articles(term, limit, deadline=left)
            except SourceError as error:
                if not hits:
                    raise
                _log.warning("pubmed: a weaker query was not answered: %s", error)
                report_gap(error)
                break
            if answer.missing:
                ids = ", ".join(answer.missing)
                _log.warning("pubmed: no record came for %s", ids)
                report_gap(SourceError(f"PubMed named {ids} and sent no record of them: ask again later"))
            for record in answer.records:
                if record.abstract is not None:
                    hits.setdefault(record.pmid, _Hit(record, _run(term, answer.found)))
            if len(hits) >= min(self._enough, limit):
                break
        return list(hits.values())

    def _fused(self, lists: Sequence[Sequence[_Hit]], limit: int) -> list[Evidence]:
        """One list by reciprocal rank fusion, scaled so that the first of every list would have 1."""
        scores: dict[str, float] = {}
        hits: dict[str, _Hit] = {}
        for found in lists:
            for rank, hit in enumerate(found):
                pmid = hit.record.pmid
                scores[pmid] = scores.get(pmid, 0.0) + _RRF / (_RRF + rank) / len(lists)
                hits.setdefault(pmid, hit)
        ordered = sorted(scores, key=lambda pmid: -scores[pmid])[:limit]
        pieces = (
            evidence_of(hits[pmid].record, self._retractions, self._headings, hits[pmid].query, round(scores[pmid], 4))
            for pmid in ordered
        )
        return [piece for piece in pieces if piece is not None]

    def _load(self) -> None:
        self._headings.load()
        self._retractions.load()


def _run(term: str, found: Found) -> str:
    """The query as it was run, with what PubMed left out of it."""
    return f"{term} [{'; '.join(found.remarks)}]" if found.remarks else term
