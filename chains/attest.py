"""The last check before anything is shown: what is cited exists, and what is quoted stands there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chains.verify.dose import dose_fault
from core.schema import Draft, Evidence, Verdict


def attested_verdicts(verdicts: Iterable[Verdict], evidence: Iterable[Evidence]) -> tuple[Verdict, ...]:
    """The verdicts, each of whose faults turned it unverifiable at full risk with the fault named.

    A claim is at fault where it cites evidence that was not retrieved, where a quote is not in the evidence it names,
    or where it is called supported without a quote.
    """
    by_id = {e.id: e for e in evidence}
    return tuple(_without_faults(verdict, by_id) for verdict in verdicts)


def citing_what_attests(draft: Draft, verdicts: Sequence[Verdict]) -> dict[str, Draft | tuple[Verdict, ...]]:
    """Draft and verdicts, where a supported claim that cites nothing cites the evidence of its first quote."""
    cited = tuple(_citing(verdict) for verdict in verdicts)
    attesting = (i for v in cited if v.label == "supported" for i in v.claim.cited)
    citations = tuple(dict.fromkeys((*draft.citations, *attesting)))
    claims = tuple(v.claim for v in cited)
    return {"draft": draft.model_copy(update={"claims": claims, "citations": citations}), "verdicts": cited}


def _citing(verdict: Verdict) -> Verdict:
    if verdict.label != "supported" or verdict.claim.cited or not verdict.quotes:
        return verdict
    claim = verdict.claim.model_copy(update={"cited": (verdict.quotes[0].evidence_id,)})
    return verdict.model_copy(update={"claim": claim})


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
    if verdict.label == "supported" and (fault := dose_fault(verdict.claim.text, [q.text for q in verdict.quotes])):
        return fault
    if verdict.label == "supported" and all(evidence[q.evidence_id].retracted for q in verdict.quotes):
        return "only retracted evidence says so"
    return None
