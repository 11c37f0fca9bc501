"""What remains of an answer when only attested claims may stay, without a model: cut, never rewritten."""

from __future__ import annotations

from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from core.schema import Draft, Outcome, Verdict


class ReviseInput(NamedTuple):
    """A draft, the verdicts of its claims in their order, and the highest risk that may stay."""

    draft: Draft
    verdicts: tuple[Verdict, ...]
    accept_risk: float


class Revision(NamedTuple):
    """The draft that remains, with the verdicts of the claims in it, their spans moved to its text."""

    draft: Draft
    verdicts: tuple[Verdict, ...]


def reviser() -> Runnable[ReviseInput, Outcome[Revision]]:
    """A Runnable that drops every claim that is not attested."""
    return RunnableLambda(lambda given: Outcome(value=attested_only(given)))


def is_attested(verdict: Verdict, accept_risk: float) -> bool:
    """Whether a claim may be given to a reader."""
    return verdict.label == "supported" and verdict.risk <= accept_risk


def attested_only(given: ReviseInput) -> Revision:
    """Keep the attested claims in their order, joined by a blank; nothing new enters.

    A choice stays only where a claim stays that attests it.
    """
    draft = given.draft
    prefix = _verdict_word(draft)
    text, kept = prefix, list[Verdict]()
    for verdict in given.verdicts:
        if is_attested(verdict, given.accept_risk):
            start, end = verdict.claim.span
            begin = len(text) + 1 if text else 0
            text = f"{text} {draft.text[start:end]}".strip()
            claim = verdict.claim.model_copy(update={"span": (begin, begin + end - start)})
            kept.append(verdict.model_copy(update={"claim": claim}))
    if not kept:
        return Revision(Draft(text="", reasoning=draft.reasoning), ())
    citations = tuple(dict.fromkeys(i for v in kept for i in v.claim.cited))
    claims = tuple(v.claim for v in kept)
    revised = draft.model_copy(update={"text": text, "citations": citations, "claims": claims})
    return Revision(revised, tuple(kept))


def _verdict_word(draft: Draft) -> str:
    """What stands before the first claim: the option or the yes or no that the claims attest."""
    first = min((claim.span[0] for claim in draft.claims), default=0)
    return draft.text[:first].strip()
