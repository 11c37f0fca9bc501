"""The probabilistic graph alone as verifier: paths between a claim's concepts, and the overlap with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.link import Link
from chains.verify import VerifyInput, ready
from chains.verify.comparing import examine
from chains.verify.finding import Finding
from chains.verify.statements.vocabulary import Vocabulary
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Claim, Concept, Evidence, Label, Outcome, Quote, Verdict


class PathBalance(NamedTuple):
    """What the best path and counter-path between two concepts say, each a probability, and the net of both."""

    support: float
    contradiction: float
    p_net: float


Pair = tuple[Concept, Concept]
Connect = Callable[[Sequence[Pair], Sequence[Concept]], list[PathBalance | None]]
"""The balance of each pair in the graph over these concepts and the pairs'; None where no path joins or denies them."""

LOW_OVERLAP = 0.3
"""Raw Jaccard of claim and evidence below which a high P_net marks a candidate of a paraphrastic hallucination."""


def graph_verifier(
    connect: Connect, encode: Encode, rarity: Rarity, link: Link
) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
    """The chain. Risk is ``HRS = 1 − P_net``; no path of either kind is a missing signal, and attests nothing.

    A claim is supported where P_net is at least one half and its nearest passage shares its words; contradicted where
    P_net is below that or an antonym stands against it. A denied claim turns support and contradiction about.
    """
    vocabulary = Vocabulary(link)

    def run(given: VerifyInput) -> Outcome[tuple[Verdict, ...]]:
        usable = [e for e in given.evidence if not e.retracted]
        claims = ready(given.claims, link)
        findings = examine(claims, usable, encode, rarity, vocabulary)
        pairs = [ends(claim, link) for claim in claims]
        joined = iter(connect([pair for pair in pairs if pair], context(usable, link)))
        balances = [next(joined) if pair else None for pair in pairs]
        return Outcome(value=tuple(map(_verdict, given.claims, pairs, balances, findings)))

    return RunnableLambda(run, name="verify")


def ends(claim: Claim, link: Link) -> Pair | None:
    """The concepts of a claim's subject and object, or else its first and its last one; None where it has no two."""
    subject, object_ = (link(part) if part else () for part in (claim.subject, claim.object))
    for mentions in ((*subject[:1], *object_[-1:]), link(claim.text)):
        concepts = list({m.concept.id: m.concept for m in mentions}.values())
        if len(concepts) > 1:
            return concepts[0], concepts[-1]
    return None


def context(evidence: Sequence[Evidence], link: Link) -> list[Concept]:
    """The concepts that evidence tells of, each once."""
    found = (m.concept for e in evidence for m in link(f"{e.title}\n{e.text}") if not m.negated)
    return list({concept.id: concept for concept in found}.values())


def _verdict(claim: Claim, pair: Pair | None, balance: PathBalance | None, findings: Sequence[Finding]) -> Verdict:
    nearest = max(findings, key=lambda f: f.signals.get("containment_titled") or 0.0, default=None)
    signals = _signals(balance, nearest)
    if pair is None or balance is None:
        lack = "it has no two concepts" if pair is None else f"no path joins {pair[0].name} and {pair[1].name}"
        return _make(claim, "unverifiable", 0.0, 0.0, f"the graph says nothing: {lack}", None, signals)
    p = 1.0 - balance.p_net if claim.negated else balance.p_net
    path = f"P_net of {pair[0].name} and {pair[1].name} is {balance.p_net:.2f}"
    if nearest is not None and (nearest.signals.get("antonyms") or 0.0) > 0:
        return _make(claim, "contradicted", 0.0, 1.0 - p, f"{path}, and its evidence has an opposite", nearest, signals)
    if p < 0.5:
        return _make(claim, "contradicted", p, 1.0 - p, path, nearest, signals)
    if nearest is None or (signals["jaccard"] or 0.0) < LOW_OVERLAP:
        why = f"{path}, but its words are far from all evidence: a paraphrase that may be invented"
        return _make(claim, "unverifiable", p, 1.0 - p, why, None, signals)
    return _make(claim, "supported", p, 1.0 - p, path, nearest, signals)


def _signals(balance: PathBalance | None, nearest: Finding | None) -> dict[str, float | None]:
    return {
        "p_support_paths": balance.support if balance else None,
        "p_contradiction_paths": balance.contradiction if balance else None,
        "p_net": balance.p_net if balance else None,
        "hrs": 1.0 - balance.p_net if balance else None,
        "jaccard": nearest.signals.get("jaccard") if nearest else None,
        "antonyms": nearest.signals.get("antonyms") if nearest else None,
    }


def _make(
    claim: Claim,
    label: Label,
    supported: float,
    contradicted: float,
    why: str,
    quoted: Finding | None,
    signals: dict[str, float | None],
) -> Verdict:
    quotes = (Quote(evidence_id=quoted.evidence.id, text=quoted.window.text),) if quoted else ()
    return Verdict(
        claim=claim,
        label=label,
        p_supported=supported,
        p_contradicted=contradicted,
        risk=1.0 - supported,
        quotes=quotes,
        why=why,
        signals=signals,
    )
