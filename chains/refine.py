"""New queries for what could not be attested, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import Names, distinct, renamed
from chains.understanding import Understanding
from chains.verify.signals.similarity import counter_claim
from core.schema import Outcome, Verdict

BROADER = 2
"""Broader terms of a concept that are searched for."""
WEAKEST = 3
"""Weak claims that are searched for, each with its opposite."""


class RefineInput(NamedTuple):
    """A question as understood, the verdicts of its answer, and every query that was searched for it."""

    understanding: Understanding
    weak: tuple[Verdict, ...]
    asked: tuple[str, ...]


def refiner(names: Names, broader: Names, limit: int) -> Runnable[RefineInput, Outcome[tuple[str, ...]]]:
    """A Runnable to at most ``limit`` queries that were not asked yet; none where nothing new can be asked."""

    def refine(needed: RefineInput) -> Outcome[tuple[str, ...]]:
        return Outcome(value=refinements(needed, names, broader, limit))

    return RunnableLambda(refine)


def refinements(needed: RefineInput, names: Names, broader: Names, limit: int) -> tuple[str, ...]:
    """Weak claims and their opposites, then the bare subject with what is asked of it, its other names, its kinds.

    Evidence about a broader term answers the question only where it tells of the subject: its relevance decides.
    """
    understanding = needed.understanding
    subject = understanding.subject
    aspect = understanding.aspect if understanding.aspect not in subject.lower() else ""
    bare: Sequence[str] = [f"{subject} {aspect}".strip(), subject] if subject else []
    synonyms = (f"{name} {aspect}".strip() for m in understanding.mentions for name in names(m.concept))
    kinds = (f"{kind} {aspect}".strip() for c in understanding.subject_concepts for kind in broader(c)[:BROADER])
    queries = chain(_claims(needed.weak, subject), bare, synonyms, renamed(understanding, names), kinds)
    return distinct((query for query in queries if query), limit, known=needed.asked)


def _claims(weak: Sequence[Verdict], subject: str) -> Iterator[str]:
    """Each claim under the subject that it may only point at, and what would contradict it."""
    for verdict in sorted(weak, key=lambda verdict: -verdict.risk)[:WEAKEST]:
        said = verdict.claim.text
        for text in (said, counter_claim(said)):
            yield text if subject.lower() in text.lower() else f"{subject} {text}"
