"""What an answer is written from, whoever writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chains.plan import Style, Verification
from chains.understanding import Understanding
from core.schema import Draft, Evidence, Exemplar, Question, Triple


class AnswerInput(NamedTuple):
    """A question, what it is about, the evidence that was selected, and how likely each piece answers it.

    ``triples``, ``exemplars`` and ``style`` are what a model is shown besides, and how it is asked; it is shown the
    evidence only with ``passages``. It splits claims only where it judges them too, in ``full``. ``earlier`` is the
    answer of the round before, if there was one. ``weighed`` has the likelihood for each of several questions.
    ``examined``: a yes or no on the evidence must be told at any risk, as in an examination. ``alarmed``: the answer
    stands below the notice of an emergency.
    """

    asked: Question
    understanding: Understanding
    evidence: Sequence[Evidence]
    relevance: Mapping[str, float]
    triples: Sequence[Triple] = ()
    exemplars: Sequence[Exemplar] = ()
    style: Style = "steps"
    verification: Verification = "full"
    passages: bool = True
    earlier: Draft | None = None
    weighed: Sequence[Mapping[str, float]] = ()
    examined: bool = False
    alarmed: bool = False
