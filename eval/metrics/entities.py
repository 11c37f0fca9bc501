"""Entity F1: whether an answer speaks of the concepts that it was given, and of no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.schema import Mention
from eval.metrics.record import Scored
from eval.metrics.rouge import overlap


def entity_f1(record: Scored, link: Callable[[str], Sequence[Mention]]) -> float | None:
    """F1 of the answer's concepts against those of dialogue, context and knowledge, never the reference.

    Two mentions are the same entity where the linker finds the same concept. None where neither side has one.
    """
    given = (record.history, record.question, record.context, record.knowledge)
    said, known = _concepts([record.answer], link), _concepts(given, link)
    return overlap(len(said & known), len(said), len(known)).f1 if said or known else None


def _concepts(texts: Sequence[str | None], link: Callable[[str], Sequence[Mention]]) -> frozenset[str]:
    return frozenset(mention.concept.id for text in texts if text for mention in link(text))
