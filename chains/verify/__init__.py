"""Verification: every claim against every piece of evidence, to a verdict with its reason, quotes and risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from langchain_core.runnables import Runnable, RunnableLambda

from chains.claims import triple
from chains.link import Link
from chains.verify.comparing import Learned, examine
from chains.verify.risk import judge
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Claim, Evidence, Outcome, Verdict

LONGEST = 3_000
"""Characters of a statement that is checked: a text without full stops would take minutes."""


class VerifyInput(NamedTuple):
    """Claims, the evidence to hold them against, and how likely each piece of it answers the question.

    ``quoted`` claims are sentences of the evidence: no model need judge them. Claims that attest a choice are held
    against its ``options`` too.
    """

    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    relevance: Mapping[str, float] | None = None
    question: str = ""
    quoted: bool = False
    options: tuple[str, ...] = ()


def verify(
    claims: Sequence[Claim],
    evidence: Sequence[Evidence],
    *,
    encode: Encode,
    rarity: Rarity,
    relevance: Mapping[str, float] | None = None,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
) -> tuple[Verdict, ...]:
    """Verify claims against evidence, in order.

    Args:
        claims: statements; those without a subject get one by rule.
        evidence: pieces with different ids; retracted ones are named but neither support nor contradict.
        encode: embeds texts to unit vectors; called once at most, with the few windows that come near.
        rarity: what a stem tells.
        relevance: id of evidence to the probability that it answers the question; None where nothing was asked.
        vocabulary: how names are compared: by words alone, or also by the concepts that they name.
        learned: a reader that has learned, whose opinion is a signal and can veto; None leaves it to the rules.

    Returns:
        A verdict a claim. Its quotes are slices of the evidence; its signals are those of the evidence that decided,
        None where one is not available.
    """
    short = [claim for claim in claims if len(claim.text) <= LONGEST]
    findings = iter(examine(ready(short, vocabulary.link), evidence, encode, rarity, vocabulary, learned))
    return tuple(
        judge(claim, next(findings), relevance) if len(claim.text) <= LONGEST else _too_long(claim) for claim in claims
    )


def _too_long(claim: Claim) -> Verdict:
    why = f"it has more than {LONGEST:,} characters: nothing so long is checked as one statement"
    return Verdict(claim=claim, label="unverifiable", p_supported=0.0, p_contradicted=0.0, risk=1.0, why=why)


def verifier(
    encode: Encode,
    rarity: Rarity,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
) -> Runnable[VerifyInput, Outcome[tuple[Verdict, ...]]]:
    """The chain: from claims and evidence to verdicts.

    ``vocabulary`` tells how names are compared: what holds of lung cancer may attest a claim on cancer.
    """

    def run(given: VerifyInput) -> Outcome[tuple[Verdict, ...]]:
        verdicts = verify(
            given.claims,
            given.evidence,
            encode=encode,
            rarity=rarity,
            relevance=given.relevance,
            vocabulary=vocabulary,
            learned=learned,
        )
        return Outcome(value=verdicts)

    return RunnableLambda(run, name="verify")


def ready(claims: Sequence[Claim], link: Link | None = None) -> list[Claim]:
    """The claims, each with its subject, predicate and object; those that lack a subject get them by rule."""
    return [claim if claim.subject else claim.model_copy(update=_parts(claim, link)) for claim in claims]


def _parts(claim: Claim, link: Link | None) -> dict[str, str | None]:
    subject, predicate, object_ = triple(claim.text, link)
    return {"subject": subject, "predicate": predicate, "object": object_}
