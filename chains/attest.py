"""The last check before anything is shown: what is cited exists, and what is quoted stands there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.schema import Evidence, Verdict


def attested_verdicts(verdicts: Iterable[Verdict], evidence: Iterable[Evidence]) -> tuple[Verdict, ...]:
    """The verdicts, each of whose faults turned it unverifiable at full risk with the fault named.

    A claim is at fault where it cites evidence that was not retrieved, where a quote is not in the evidence it names,
    or where it is called supported without a quote.
    """
    by_id = {e.id: e for e in evidence}
    return tuple(_without_faults(verdict, by_id) for verdict in verdicts)


def _without_faults(verdict: Verdict, evidence: Mapping[str, Evidence]) -> Verdict:
    fault = _fault(verdict, evidence)
    if fault is None:
        return verdict
    return verdict.model_copy(
        update={"label": "unverifiable", "p_supported": 0.0, "risk": 1.0, "quotes": (), "why": fault}
    )


def _fault(verdict: Verdict, evidence: Mapping[str, Evidence]) -> str | None:
    for cited in verdict.claim.cited:
        if cited not in evidence:
            return f"it cites {cited}, which was not retrieved"
    for quote in verdict.quotes:
        if quote.evidence_id not in evidence or quote.text not in evidence[quote.evidence_id].text:
            return f"its quote is not in {quote.evidence_id}"
    if verdict.label == "supported" and not verdict.quotes:
        return "no quote attests it"
    if verdict.label == "supported" and all(evidence[q.evidence_id].retracted for q in verdict.quotes):
        return "only retracted evidence says so"
    return None
