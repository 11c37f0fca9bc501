"""What remains of an answer when only attested claims may stay: cut, never rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from core.schema import Draft, Outcome, Verdict


class ReviseInput(NamedTuple):
    """A draft, the verdicts of its claims in their order, the highest risk that may stay, and what was asked."""

    draft: Draft
    verdicts: tuple[Verdict, ...]
    accept_risk: float
    question: str = ""


class Revision(NamedTuple):
    """The draft that remains, with the verdicts of the claims in it, their spans moved to its text."""

    draft: Draft
    verdicts: tuple[Verdict, ...]


def reviser() -> Runnable[ReviseInput, Outcome[Revision]]:
    """A Runnable that drops every claim that is not attested."""
    return RunnableLambda(lambda given: Outcome(value=attested_only(given)), name="revise")


def is_attested(verdict: Verdict, accept_risk: float) -> bool:
    """Whether a claim may be given to a reader."""
    return verdict.label == "supported" and verdict.risk <= accept_risk


def attested_only(given: ReviseInput) -> Revision:
    """Keep the attested claims in their order, joined by a blank; nothing new enters.

    A sentence of several claims stays as it is where all of them are attested; otherwise those that are stand for it.
    A choice stays only where a claim stays that attests it.
    """
    pieces: list[tuple[str, list[Verdict]]] = []
    for span, group in groupby(given.verdicts, key=lambda verdict: verdict.claim.span):
        verdicts = list(group)
        kept = [v for v in verdicts if is_attested(v, given.accept_risk)]
        if len(kept) == len(verdicts):
            pieces.append((given.draft.text[slice(*span)], kept))
        else:
            pieces += [(verdict.claim.text, [verdict]) for verdict in kept]
    return rebuilt(given.draft, verdict_word(given.draft), pieces)


def rebuilt(draft: Draft, before: str, pieces: Sequence[tuple[str, Sequence[Verdict]]]) -> Revision:
    """The draft made of pieces of text, each with the verdicts of its claims; empty where there is none."""
    text, kept = before, list[Verdict]()
    for piece, verdicts in pieces:
        begin = len(text) + 1 if text else 0
        text = f"{text} {piece}".strip()
        for verdict in verdicts:
            claim = verdict.claim.model_copy(update={"span": (begin, begin + len(piece))})
            kept.append(verdict.model_copy(update={"claim": claim}))
    if not kept:
        return Revision(Draft(text="", reasoning=draft.reasoning, omitted=draft.omitted), ())
    citations = tuple(dict.fromkeys(i for v in kept for i in v.claim.cited))
    claims = tuple(v.claim for v in kept)
    return Revision(draft.model_copy(update={"text": text, "citations": citations, "claims": claims}), tuple(kept))


def verdict_word(draft: Draft) -> str:
    """What stands before the first claim: the option or the yes or no that the claims attest."""
    first = min((claim.span[0] for claim in draft.claims), default=0)
    return draft.text[:first].strip()
