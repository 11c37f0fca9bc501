"""What a reader may look at where a question is not answered: the pages nearest to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.schema import Evidence, Suggestion

MOST = 3
LEAST_RELEVANCE = 0.02
"""A page less likely to answer is about something else."""


def suggestions(evidence: Sequence[Evidence], relevance: Mapping[str, float]) -> tuple[Suggestion, ...]:
    """The pages of the likeliest evidence, each once, with the question that the passage answers."""
    pages: dict[str, Suggestion] = {}
    for piece in sorted(evidence, key=lambda e: -relevance.get(e.id, 0.0)):
        if piece.url and not piece.retracted and relevance.get(piece.id, 0.0) >= LEAST_RELEVANCE:
            topic, _, heading = piece.title.partition(": ")
            question = heading if heading.endswith("?") else ""
            pages.setdefault(piece.url, Suggestion(title=topic, url=piece.url, question=question))
    return tuple(pages.values())[:MOST]
