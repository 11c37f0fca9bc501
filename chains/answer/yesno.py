"""Yes, no or maybe from evidence alone: the question as a statement, verified against the evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from chains.verify.entailment import reason
from chains.verify.finding import Encode, Finding, examine
from chains.verify.passage import read_passage
from chains.verify.reading import read
from chains.verify.signals.containment import share
from core.rarity import Rarity
from core.schema import Claim, Draft, Evidence, Question, Quote

_AUXILIARY = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have|had|must|shall)(?:n't)?\s+"
    r"(?:there\s+)?",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"[:,]?\s*\b(?:is|are|was|were|do|does|did|can|could|will|would|should)\s+(?:it|they|this|these|there)\b\s*",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:further (?:studies|study|research|trials|investigation)|more (?:studies|research) (?:is|are)|remains? "
    r"(?:unclear|controversial|uncertain|unknown|to be)|inconclusive|conflicting|controversial|mixed results|"
    r"insufficient evidence|not (?:yet )?(?:clear|known|established))\b",
    re.IGNORECASE,
)
_NULL = re.compile(
    r"\b(?:no (?:\w+ ){0,2}(?:differences?|associations?|correlations?|effects?|evidence|improvements?|benefits?|"
    r"changes?|relationships?|increase|decrease|influence|impact)|"
    r"not (?:\w+ )?(?:significant|significantly|differ|different|"
    r"associated|correlated?|improved?|affect|affected|increased?|decreased?|predict|influenced?|changed?|related)|"
    r"(?:did|does|do|was|were) not|(?:were|was) (?:similar|comparable|nearly identical|identical)|fail(?:ed|s)? to|"
    r"neither|nor|lack of)\b",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:significant(?:ly)?|associated with|correlated|higher|lower|greater|increased?|decreased?|improved?|reduced|"
    r"effective|predict(?:s|ed|ors?))\b",
    re.IGNORECASE,
)
_SHARED = 0.3
_ON_TOPIC = 0.4
_CONTAINED = 0.35
_TELLING = 0.75
_TOLD = 0.5
_MARGIN = 0.12
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


def statement_of(question: str) -> str:
    """What a yes to the question states, in its words: "Is A safe in B?" gives "A safe in B"."""
    bare = " ".join(question.split()).rstrip(" ?.!")
    stripped = _AUXILIARY.sub("", bare, count=1)
    if stripped == bare:
        stripped = _LATE.sub(" ", bare, count=1)
    return stripped[:1].upper() + stripped[1:]


def answer_yesno(
    question: Question,
    understanding: Understood,
    evidence: Sequence[Evidence],
    *,
    encode: Encode,
    rarity: Rarity,
    relevance: Mapping[str, float] | None = None,
) -> Draft:
    """Decide yes, no or maybe, and quote the sentences that decide.

    Args:
        question: as asked; its own text is what is decided.
        understanding: tells the subject.
        evidence: retracted pieces take no part.
        encode: embeds texts to unit vectors.
        rarity: what a stem tells.
        relevance: id of evidence to the probability that it answers the question; weighs the evidence.

    Returns:
        A draft with ``choice`` yes, no or maybe, whose text is that word and the deciding sentences verbatim, each a
        claim; choice None and no text where no evidence is on what is asked.
    """
    statement = statement_of(understanding.text or question.question)
    subject, related = understanding.subject or None, understanding.object or None
    claim = Claim(text=statement, span=(0, len(statement)), subject=subject, object=related)
    usable = [piece for piece in evidence if not piece.retracted]
    findings = examine([claim], usable, encode, rarity)[0]
    weighed = [(finding, 1.0 if relevance is None else relevance.get(finding.evidence.id, 0.0)) for finding in findings]
    told = [(finding, weight) for finding, weight in weighed if weight > 0 and _is_on_topic(finding, statement, rarity)]
    steps = [f"Subject: {understanding.subject or statement}", f"To decide: {statement}"]
    if not told:
        steps.append("No evidence is on this")
        return Draft(text="", reasoning=tuple(steps))
    choice, deciding = _decide(told)
    quotes = [Quote(evidence_id=finding.evidence.id, text=finding.window.text) for finding in deciding]
    null = _null_results(statement, [finding.evidence for finding, _ in told], rarity) if choice == "yes" else []
    if null:
        choice, quotes = "no", null
    steps += [_weighing(finding) for finding, _ in told]
    steps += ["More sentences report no effect than an effect"] if null else []
    return _draft(choice, quotes, tuple(steps))


def _is_on_topic(finding: Finding, statement: str, rarity: Rarity) -> bool:
    """Whether the evidence says anything on the statement: it has most of its words, of its telling ones above all."""
    p = finding.probabilities
    if p.supported + p.contradicted < _ON_TOPIC or (finding.signals.get("containment_titled") or 0.0) < _CONTAINED:
        return False
    passage = read_passage(finding.evidence.text, finding.evidence.title)
    telling = [stem for stem in read(statement).stems if rarity(stem) >= _TELLING]
    return not telling or (share(telling, rarity, passage.holds) or 0.0) > _TOLD


def _decide(told: Sequence[tuple[Finding, float]]) -> tuple[str, list[Finding]]:
    """The choice, and the findings that speak for it, strongest first."""
    yes = max(weight * finding.probabilities.supported for finding, weight in told)
    no = max(weight * _denial(finding) for finding, weight in told)
    by_yes = sorted(told, key=lambda pair: -pair[1] * pair[0].probabilities.supported)
    by_no = sorted(told, key=lambda pair: -pair[1] * _denial(pair[0]))
    leading = by_yes[0][0] if yes >= no else by_no[0][0]
    if _OPEN.search(leading.window.text) or (abs(yes - no) < _MARGIN and read(leading.window.text).hedged):
        both = [by_yes[0][0], by_no[0][0]]
        return "maybe", both if both[0] is not both[1] else both[:1]
    if yes >= no:
        return "yes", [finding for finding, _ in by_yes if finding.supports] or [by_yes[0][0]]
    return "no", [finding for finding, _ in by_no if finding.contradicts] or [by_no[0][0]]


def _denial(finding: Finding) -> float:
    """How likely the evidence says no in words: an embedding's leaning alone is no denial."""
    spoken = reason({**finding.signals, "counter_margin": None})
    return finding.probabilities.contradicted if spoken else 0.0


def _null_results(statement: str, evidence: Sequence[Evidence], rarity: Rarity) -> list[Quote]:
    """The sentences on the statement that report no effect, nearest first, where they outweigh those that report one.

    A sentence weighs by the share of the statement in it. Studies tell what they did not find in words of their own
    ("was similar", "failed to"), which neither negate the statement nor oppose a word of it.
    """
    stems = read(statement).stems
    null: list[tuple[float, Quote]] = []
    effect = 0.0
    for piece in evidence:
        for window in read_passage(piece.text, piece.title).windows:
            shared = share(stems, rarity, window.holds) or 0.0
            if window.sentences > 1 or shared < _SHARED:
                continue
            if _NULL.search(window.text):
                null.append((shared, Quote(evidence_id=piece.id, text=window.text)))
            elif _EFFECT.search(window.text):
                effect += shared
    outweigh = sum(shared for shared, _ in null) > effect
    return [quote for _, quote in sorted(null, key=lambda pair: -pair[0])] if outweigh else []


def _weighing(finding: Finding) -> str:
    p = finding.probabilities
    return f"{finding.evidence.id}: yes {p.supported:.2f}, no {p.contradicted:.2f}"


def _draft(choice: str, quotes: Sequence[Quote], reasoning: tuple[str, ...]) -> Draft:
    text = f"{choice.capitalize()}."
    claims: list[Claim] = []
    for sentence, quote in list({quote.text: quote for quote in quotes}.items())[:_QUOTED]:
        start = len(text) + 1
        text = f"{text} {sentence}"
        claims.append(Claim(text=sentence, span=(start, len(text)), cited=(quote.evidence_id,)))
    citations = tuple(dict.fromkeys(claim.cited[0] for claim in claims))
    return Draft(text=text, choice=choice, reasoning=reasoning, citations=citations, claims=tuple(claims))
