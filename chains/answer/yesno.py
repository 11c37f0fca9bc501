"""Yes, no or maybe from evidence alone: what the question asks, held against what the evidence states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from chains.verify.finding import Encode, Finding, Learned, examine
from chains.verify.passage import read_passage
from chains.verify.statements.near import read
from chains.verify.statements.results import REPORT, Result, results
from chains.verify.statements.rule import claimed_statements
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.language.statement import Reading
from core.rarity import Rarity
from core.schema import Claim, Draft, Evidence, Question, Quote

Complete = Callable[[Evidence, Reading], bool]
"""Whether a piece of evidence lists all that stands in the asked relation, so that what it leaves out is not so."""

SURE_YES, SURE_NO = 0.85, 0.9
"""How likely a passage must say so, or the opposite, in other words than its statements were read in: of questions
written to mislead one in twenty is then answered wrongly."""
NULL_WEIGHT = 0.8
"""What a reported effect weighs against a report of none: reports dwell on what they found."""
LONGEST = 60
"""Sentences of the longest text that is read whole as a report."""
REPORTS = frozenset({"pubmed", "given"})
"""Sources whose texts may report what a study found; a page for readers tells of a disease, and finds nothing."""
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
    learned: Learned | None = None,
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
        learned: a reader that has learned, which finds what is stated in other words; None leaves it to the rules.
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
    findings = examine([claim], usable, encode, rarity, vocabulary, learned)[0]
    findings.sort(key=lambda f: -(1.0 if relevance is None else relevance[f.evidence.id]))
    choice, quotes = _decide(findings)
    if choice is None and complete is not None:
        lists = [finding for finding in findings if complete(finding.evidence, read(asked))]
        choice, quotes = ("no", _quoted(lists[:1])) if lists else (None, [])
    if choice is None:
        choice, quotes = _by_results(read(asked), usable, rarity, vocabulary)
    steps = [f"To decide: {asked}", *(_weighing(finding) for finding in findings)]
    if choice is None:
        return Draft(text="", reasoning=(*steps, "No evidence says either"))
    return _draft(choice, quotes, tuple(steps))


def _decide(findings: Sequence[Finding]) -> tuple[str | None, list[Quote]]:
    """The choice by what is stated, and the sentences that speak for it."""
    yes = [f for f in findings if _says_yes(f)]
    no = [f for f in findings if _says_no(f)]
    if yes and no:
        return "maybe", _quoted([yes[0], *(f for f in no[:1] if f is not yes[0])])
    if yes or no:
        return ("yes", _quoted(yes)) if yes else ("no", _quoted(no))
    unsure = [f for f in findings if f.stand.obstacle == "doubt" or f.stand.unsettled]
    return ("maybe", _quoted(unsure)) if unsure else (None, [])


def _says_yes(finding: Finding) -> bool:
    """Whether a statement says so, or the reader that has learned hardly doubts that a given text does otherwise.

    A passage that was found decides by its statements alone: which of its sentences the reader means nobody can show.
    """
    worded = finding.unhindered and finding.probabilities.supported >= SURE_YES
    return (_is_given(finding) and worded) or (finding.stand.supports and not finding.vetoed)


def _says_no(finding: Finding) -> bool:
    worded = finding.probabilities.contradicted >= SURE_NO and not finding.stand.supports
    return finding.stand.contradicts or (_is_given(finding) and worded)


def _is_given(finding: Finding) -> bool:
    return finding.read and finding.evidence.source == "given"


def _by_results(
    asked: Reading, evidence: Sequence[Evidence], rarity: Rarity, vocabulary: Vocabulary
) -> tuple[str | None, list[Quote]]:
    """The choice by what reports found, where no single statement answers: what weighs more, quoted."""
    claimed = claimed_statements(asked)
    found: list[tuple[Result, Evidence]] = []
    for piece in evidence:
        passage = read_passage(piece.text, piece.title)
        if piece.source in REPORTS and REPORT <= len(passage.sentences) <= LONGEST:
            report = read(piece.text, piece.title)
            reported = results(asked, claimed, report, rarity, vocabulary, passage.short_forms)
            found += [(result, piece) for result in reported]
    effect, none = (sum(r.weight for r, _ in found if r.found is kind) for kind in (True, False))
    if not effect and not none:
        return None, []
    choice = effect * NULL_WEIGHT >= none
    told = sorted((pair for pair in found if pair[0].found is choice), key=lambda pair: -pair[0].weight)
    return "yes" if choice else "no", [Quote(evidence_id=e.id, text=r.sentence.text) for r, e in told[:1]]


def _quoted(findings: Sequence[Finding]) -> list[Quote]:
    return [Quote(evidence_id=finding.evidence.id, text=finding.window.text) for finding in findings]


def _weighing(finding: Finding) -> str:
    stood = finding.stand
    said = "says yes" if stood.supports else "says no" if stood.contradicts else stood.why
    both = " and no" if stood.supports and stood.contradicts else ""
    return f"{finding.evidence.id}: {said}{both}"


def _draft(choice: str, quotes: Sequence[Quote], reasoning: tuple[str, ...]) -> Draft:
    text = f"{choice.capitalize()}."
    claims: list[Claim] = []
    for sentence, quote in list({quote.text: quote for quote in quotes}.items())[:_QUOTED]:
        start = len(text) + 1
        text = f"{text} {sentence}"
        claims.append(Claim(text=sentence, span=(start, len(text)), cited=(quote.evidence_id,)))
    citations = tuple(dict.fromkeys(claim.cited[0] for claim in claims))
    return Draft(text=text, choice=choice, reasoning=reasoning, citations=citations, claims=tuple(claims))
