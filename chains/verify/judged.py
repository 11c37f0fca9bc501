"""A model's judgement of a claim, checked: its quote must stand in the evidence and speak of what the claim says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chains.replies import Judgement
from chains.verify.finding import Finding
from chains.verify.signals.quantities import quantities
from core.schema import Claim, Evidence, Label, Quote, Verdict

LEAST_SHARED = 0.3
"""Share of the claim's words, by their rarity, that a passage must hold to decide on it: a quote about something else,
however true, attests nothing."""
MOST_CERTAIN = 0.97
"""No judgement of a model is surer than this."""

_GAP = re.compile(r"\s+")
_SHORTEST = 12


def judged(
    rules: Verdict,
    judgement: Judgement,
    shown: Sequence[Evidence],
    findings: Sequence[Finding],
) -> Verdict:
    """The verdict of the rules, with a model's judgement in it.

    A judgement whose quote does not stand in the evidence counts for nothing: the rules' verdict stays. A support is
    vetoed where the passage has other numbers or lacks one, denies the claim or lacks most of its words.

    Args:
        rules: the verdict without a model.
        judgement: the model's.
        shown: the evidence that the model judged by.
        findings: what each piece of evidence says on the claim by the signals.
    """
    signals = {**rules.signals, "model_support": judgement.support, "model_contradiction": judgement.contradiction}
    kept = rules.model_copy(update={"signals": signals})
    if rules.label == "contradicted" and judgement.label != "contradicted":
        return kept
    if judgement.label == "unverifiable":
        return _doubted(kept, judgement, "the model does not find it stated in what was found")
    quote = located(judgement.quote, shown)
    if quote is None:
        return kept.model_copy(update={"why": f"{kept.why}; the model's quote stands nowhere in the evidence"})
    finding = next((f for f in findings if f.evidence.id == quote.evidence_id), None)
    if fault := _veto(finding, judgement.label, rules.claim):
        return _doubted(kept, judgement, f"the model goes by {quote.evidence_id}, but {fault}")
    quotes = (quote, *(q for q in rules.quotes if q.text != quote.text))[:3]
    if judgement.label == "contradicted":
        p = min(max(judgement.contradiction, rules.p_contradicted, 0.5), MOST_CERTAIN)
        why = f"{quote.evidence_id} says otherwise, as the model finds"
        return _told(kept, "contradicted", min(rules.p_supported, 1.0 - p), p, quotes, why)
    p = max(min(judgement.support, MOST_CERTAIN), rules.p_supported)
    why = f"its content is in {quote.evidence_id}, as the model finds"
    return _told(kept, "supported", p, min(rules.p_contradicted, 1.0 - p), quotes, why)


def answering(verdict: Verdict, p_chosen: float | None) -> Verdict:
    """The verdict with how likely the claim answers the question in its risk; as it is where nothing was asked.

    What its evidence tells says how likely that is; of a claim on a choice also ``p_chosen``, where it is more.
    """
    known = [p for p in (verdict.signals.get("p_answers"), p_chosen) if p is not None]
    if not known or verdict.label != "supported":
        return verdict
    signals = {**verdict.signals, "p_answers": max(known)}
    return verdict.model_copy(update={"signals": signals, "risk": 1.0 - verdict.p_supported * max(known)})


def no_surer(verdict: Verdict, p_answers: float) -> Verdict:
    """The verdict on a claim of an answer that is no likelier than this to tell what was asked."""
    p = min(p_answers, verdict.signals.get("p_answers") or 0.0)
    risk = max(verdict.risk, 1.0 - verdict.p_supported * p)
    return verdict.model_copy(update={"signals": {**verdict.signals, "p_answers": p}, "risk": risk})


def located(quote: str, shown: Sequence[Evidence]) -> Quote | None:
    """The place of a quote in the evidence, as it stands there; blanks and capitals may differ, nothing else.

    None where it stands nowhere, or is too short to say anything.
    """
    wanted = _GAP.sub(" ", quote.strip().strip("\"“”'")).strip()
    if len(wanted) < _SHORTEST:
        return None
    pattern = re.compile(r"\s+".join(re.escape(word) for word in wanted.split(" ")), re.IGNORECASE)
    for evidence in shown:
        if not evidence.retracted and (found := pattern.search(evidence.text)):
            return Quote(evidence_id=evidence.id, text=found.group())
    return None


def _veto(finding: Finding | None, label: str, claim: Claim) -> str | None:
    """Why a passage cannot decide on the claim, however a model reads it."""
    if finding is None:
        return "it does not come near the claim"
    signals = finding.signals
    if (signals.get("containment_passage") or 0.0) < LEAST_SHARED:
        return "it lacks most of what the claim says"
    if label == "supported" and (signals.get("number_conflict") or 0.0) > 0:
        return "it has other numbers"
    if label == "supported" and _lacks_a_quantity(claim, finding.evidence):
        return "it lacks a number of the claim"
    if label == "supported" and (signals.get("negation") or 0.0) > 0:
        return "it denies it"
    return None


def _lacks_a_quantity(claim: Claim, evidence: Evidence) -> bool:
    """Whether the claim has a number with a unit that the passage has nowhere."""
    told = quantities(f"{evidence.title}\n{evidence.text}")
    return any(
        one.unit and not any(o.unit in (one.unit, "") and o.low <= one.high and one.low <= o.high for o in told)
        for one in quantities(claim.text)
    )


def _doubted(kept: Verdict, judgement: Judgement, why: str) -> Verdict:
    """Unverifiable: at most as likely supported as both find."""
    p = min(kept.p_supported, judgement.support, 0.5)
    return _told(kept, "unverifiable", p, kept.p_contradicted, kept.quotes, why)


def _told(
    kept: Verdict, label: Label, supported: float, contradicted: float, quotes: tuple[Quote, ...], why: str
) -> Verdict:
    return kept.model_copy(
        update={
            "label": label,
            "p_supported": supported,
            "p_contradicted": contradicted,
            "risk": 1.0 - supported,
            "quotes": quotes,
            "why": why,
        }
    )
