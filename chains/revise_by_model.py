"""A model joins the attested statements into an answer; what it writes must say those, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.runnables import Runnable, RunnableLambda

from chains.answer.marks import without_marks
from chains.claims import split_claims
from chains.fallback import or_else
from chains.replies import RevisedAnswer
from chains.revise import ReviseInput, Revision, attested_only, is_attested, rebuilt, verdict_word
from chains.verify.signals.quantities import quantities
from core.model.client import Model, Prompt
from core.schema import EVIDENCE_ONLY, Claim, Outcome, Verdict
from core.text import content_terms
from prompts import system_and_user

LEAST_SAID = 0.9
"""Share of a revised sentence's words that the attested statements must have."""


def model_reviser(model: Model) -> Runnable[ReviseInput, Outcome[Revision]]:
    """A Runnable to what a model makes of the attested statements; cut by rule where it fails or adds to them.

    Statements that are quoted are cut by rule too.
    """

    def revise(given: ReviseInput) -> Outcome[Revision]:
        cut = attested_only(given)
        kept = [v for v in given.verdicts if is_attested(v, given.accept_risk)]
        if given.draft.engine == EVIDENCE_ONLY or len(kept) < 2 or len(kept) == len(given.verdicts):
            return Outcome(value=cut)

        def ask() -> Outcome[Revision]:
            statements = "\n".join(f"- {v.claim.text} {''.join(f'[{i}]' for i in v.claim.cited)}" for v in kept)
            prompt = Prompt(*system_and_user("revise", question=given.question, statements=statements))
            reply = model.ask(RevisedAnswer, prompt)
            return Outcome(value=joined(given, kept, reply.value.answer) or cut, usage=reply.usage)

        return or_else("revise", ask, lambda: Outcome(value=cut))

    return RunnableLambda(revise, name="revise")


def joined(given: ReviseInput, kept: Sequence[Verdict], answer: str) -> Revision | None:
    """The revised text with the verdicts of the statements in it; None where it adds anything or loses one."""
    text, _ = without_marks(answer)
    pieces = []
    left = list(kept)
    for claim in split_claims(text):
        said = [v for v in left if _says(claim, v)]
        if not said or _adds(claim, said):
            return None
        left = [v for v in left if v not in said]
        pieces.append((text[slice(*claim.span)], said))
    return None if left or not pieces else rebuilt(given.draft, verdict_word(given.draft), pieces)


def _says(claim: Claim, verdict: Verdict) -> bool:
    """Whether a sentence says a statement: it has most of its words, and denies what that denies."""
    wanted = set(content_terms(verdict.claim.text))
    found = wanted & set(content_terms(claim.text))
    return len(found) >= LEAST_SAID * len(wanted) and claim.negated == verdict.claim.negated


def _adds(claim: Claim, said: Sequence[Verdict]) -> bool:
    """Whether a sentence holds words or numbers that its statements do not."""
    known = {term for v in said for term in content_terms(v.claim.text)}
    numbers = {q for v in said for q in quantities(v.claim.text)}
    own = content_terms(claim.text)
    new = sum(term not in known for term in own)
    return new > (1 - LEAST_SAID) * len(own) or not set(quantities(claim.text)) <= numbers
