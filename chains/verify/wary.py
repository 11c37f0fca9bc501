"""Less trust in words alone where a model wrote the text: it invents fluently, in the question's own words."""

from __future__ import annotations

from langchain_core.runnables import Runnable, RunnableLambda

from chains.verify import VerifyInput
from core.schema import Outcome, Verdict

LEAST_HELD = 0.5
"""Share of a claim's words, by their rarity, that a passage must hold for the signals alone to call it supported.

The signals were fitted on claims that people wrote about their evidence, where few shared words may be a paraphrase.
"Cinnamon oil cures leptospirosis" shares with what treats it all but the invention.
"""


def wary_verifier(
    verifier: Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]],
) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
    """The verifier, for a text that a model wrote, unless it quotes."""

    def verify(given: VerifyInput) -> Outcome[tuple[Verdict, ...]]:
        found = verifier.invoke(given)
        if given.quoted:
            return found
        return Outcome(value=tuple(map(wary, found.value)), failures=found.failures, usage=found.usage)

    return RunnableLambda(verify, name="verify")


def wary(verdict: Verdict) -> Verdict:
    """The verdict of the signals, unverifiable where its passage lacks half of what the claim says."""
    held = verdict.signals.get("containment_passage")
    if verdict.label != "supported" or verdict.signals.get("verbatim") == 1.0 or (held or 0.0) >= LEAST_HELD:
        return verdict
    p = min(verdict.p_supported, 0.5)
    why = f"{verdict.why}, as few shared words suggest: too few to attest it"
    return verdict.model_copy(
        update={"label": "unverifiable", "p_supported": p, "risk": max(verdict.risk, 1.0 - p), "why": why}
    )
