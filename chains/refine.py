"""New queries for what could not be attested, without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.expand import Names, distinct, renamed
from chains.understand import Understanding
from core.schema import Outcome, Verdict

BROADER = 2
"""Broader terms of a concept that are searched for."""


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
    """The bare subject with what is asked of it, its other names so, then weak claims, then what it is a kind of.

    Evidence about a broader term answers the question only where it tells of the subject: its relevance decides.
    """
    understanding = needed.understanding
    subject = understanding.subject
    aspect = understanding.aspect or ""
    bare: Sequence[str] = [f"{subject} {aspect}".strip(), subject] if subject else []
    synonyms = (f"{name} {aspect}".strip() for m in understanding.mentions for name in names(m.concept))
    kinds = (f"{kind} {aspect}".strip() for c in understanding.subject_concepts for kind in broader(c)[:BROADER])
    queries = chain(bare, synonyms, renamed(understanding, names), _claims(needed.weak, subject), kinds)
    return distinct((query for query in queries if query), limit, known=needed.asked)


def _claims(weak: Sequence[Verdict], subject: str) -> Iterator[str]:
    return (f"{subject} {verdict.claim.text}".strip() for verdict in weak)
