"""Yes, no or maybe from evidence alone: what the question asks, held against what the evidence states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from chains.verify.finding import Encode, Finding, examine
from chains.verify.statements.near import read
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.language.statement import Reading
from core.rarity import Rarity
from core.schema import Claim, Draft, Evidence, Question, Quote

Complete = Callable[[Evidence, Reading], bool]
"""Whether a piece of evidence lists all that stands in the asked relation, so that what it leaves out is not so."""

_QUOTED = 2


class Understood(Protocol):
    """What is needed of an understanding of a question."""

    @property
    def text(self) -> str:
        """The question as understood."""
        ...

    @property
    def subject(self) -> str:
        """The words that the question is about."""
        ...

    @property
    def object(self) -> str:
        """What the subject is related to in a question such as "Does A belong to B?"; may be empty."""
        ...


def answer_yesno(
    question: Question,
    understanding: Understood,
    evidence: Sequence[Evidence],
    *,
    encode: Encode,
    rarity: Rarity,
    relevance: Mapping[str, float] | None = None,
    vocabulary: Vocabulary = PLAIN,
    complete: Complete | None = None,
) -> Draft:
    """Decide yes, no or maybe, and quote the sentences that decide.

    "Yes" needs a statement of what is asked, "no" a statement of its denial or its opposite, or evidence that is
    complete and leaves it out. Where some say one and some the other, or where the evidence itself says that it is
    not certain, the answer is "maybe".

    Args:
        question: as asked; its own text is what is decided.
        understanding: tells the subject.
        evidence: retracted pieces take no part.
        encode: embeds texts to unit vectors.
        rarity: what a stem tells.
        relevance: id of evidence to the probability that it answers the question; what answers nothing takes no part.
        vocabulary: how names are compared.
        complete: tells which evidence lists all there is; None where none does.

    Returns:
        A draft with ``choice`` yes, no or maybe, whose text is that word and the deciding sentences verbatim, each a
        claim; choice None and no text where no evidence says either.
    """
    asked = " ".join((understanding.text or question.question).split())
    asked = asked if asked.endswith("?") else f"{asked}?"
    claim = Claim(
        text=asked, span=(0, len(asked)), subject=understanding.subject or None, object=understanding.object or None
    )
    usable = [e for e in evidence if not e.retracted and (relevance is None or relevance.get(e.id, 0.0) > 0)]
    findings = examine([claim], usable, encode, rarity, vocabulary)[0]
    findings.sort(key=lambda f: -(1.0 if relevance is None else relevance[f.evidence.id]))
    choice, deciding = _decide(findings)
    if choice is None and complete is not None:
        lists = [finding for finding in findings if complete(finding.evidence, read(asked))]
        choice, deciding = ("no", lists[:1]) if lists else (None, [])
    steps = [f"To decide: {asked}", *(_weighing(finding) for finding in findings)]
    if choice is None:
        return Draft(text="", reasoning=(*steps, "No evidence says either"))
    return _draft(choice, deciding, tuple(steps))


def _decide(findings: Sequence[Finding]) -> tuple[str | None, list[Finding]]:
    """The choice, and the findings that speak for it."""
    yes = [f for f in findings if f.stand.supports]
    no = [f for f in findings if f.stand.contradicts]
    if yes and no:
        return "maybe", [yes[0], *(f for f in no[:1] if f is not yes[0])]
    if yes or no:
        return ("yes", yes) if yes else ("no", no)
    unsure = [f for f in findings if f.stand.obstacle == "doubt" or f.stand.unsettled]
    if unsure:
        return "maybe", unsure
    return by_results(findings)


def by_results(findings: Sequence[Finding]) -> tuple[str | None, list[Finding]]:
    """What the results of studies come to where no single statement says it."""
    return None, []


def _weighing(finding: Finding) -> str:
    stood = finding.stand
    said = "says yes" if stood.supports else "says no" if stood.contradicts else stood.why
    both = " and no" if stood.supports and stood.contradicts else ""
    return f"{finding.evidence.id}: {said}{both}"


def _draft(choice: str, deciding: Sequence[Finding], reasoning: tuple[str, ...]) -> Draft:
    text = f"{choice.capitalize()}."
    quotes = [Quote(evidence_id=finding.evidence.id, text=finding.window.text) for finding in deciding]
    claims: list[Claim] = []
    for sentence, quote in list({quote.text: quote for quote in quotes}.items())[:_QUOTED]:
        start = len(text) + 1
        text = f"{text} {sentence}"
        claims.append(Claim(text=sentence, span=(start, len(text)), cited=(quote.evidence_id,)))
    citations = tuple(dict.fromkeys(claim.cited[0] for claim in claims))
    return Draft(text=text, choice=choice, reasoning=reasoning, citations=citations, claims=tuple(claims))
