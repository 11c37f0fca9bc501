"""Yes, no or maybe from evidence alone: what the question asks, held against what the evidence states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from chains.answer.joining import with_sentence
from chains.answer.repeated import repeats
from chains.answer.weighing import Readings, Weighed, readings_of, weigh
from chains.narrowed import of_a_kind
from chains.verify.comparing import Learned, examine
from chains.verify.finding import Finding
from chains.verify.passage import read_passage
from chains.verify.report import REPORT, speaks_as_one
from chains.verify.statements.near import read
from chains.verify.statements.results import Result, results
from chains.verify.statements.rule import claimed_statements
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.embeddings import Encode
from core.language.statement import Reading
from core.rarity import Rarity
from core.schema import Claim, Draft, Evidence, Question, Quote
from core.text import content_terms

Complete = Callable[[Evidence, Reading], bool]
"""Whether a piece of evidence lists all that stands in the asked relation, so that what it leaves out is not so."""

SURE = MappingProxyType({"yes": 0.94, "no": 0.89})
"""How likely a single short text must come to a choice to decide it: of 1,321 questions, most written to mislead, one
in twenty-five is then answered wrongly. Statements of it that were read otherwise decide nothing: of 34 denials 11 were
none."""
NULL_WEIGHT = 0.8
"""What a reported effect weighs against a report of none: reports dwell on what they found."""
LIKELY = 0.5
"""How likely a choice must be that a report, or several given texts, come to, to stand above what single ones say."""
SHORT_SHARE = 0.8
"""Of its chance what is left where a single short text comes surely to neither: of 332 such questions answered yes or
no, some of which the text leaves open, 57 % were right, told 71 % sure."""
LAST = 5
"""Sentences at the end of a text of which one is quoted where no other speaks for a choice: there are its results."""
LONGEST = 60
"""Sentences of the longest text that is read whole as a report."""
REPORTS = frozenset({"pubmed", "given"})
"""Sources whose texts may report what a study found; a page for readers tells of a disease, and finds nothing."""
_QUOTED = 2

Reported = tuple[Result, Evidence]
"""A result with the report that has it."""


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
    examined: bool = False,
) -> Draft:
    """Decide yes, no or maybe, and quote the sentences that decide.

    "Yes" needs a statement of what is asked, "no" a statement of its denial or its opposite, or evidence that is
    complete and leaves it out. Where some say one and some the other, or where the evidence itself says that it is
    not certain, the answer is "maybe". Of texts that were given, reports or several of them are taken together: of
    many sentences one says anything.

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
        examined: of given texts the likeliest word is told, also of a single short one that states neither.

    Returns:
        A draft with ``choice`` yes, no or maybe, whose text is that word and the deciding sentences verbatim, each a
        claim, and ``chance`` where the texts were given; choice None and no text where no evidence says either.
    """
    asked = _question(understanding.text or question.question)
    usable = [e for e in evidence if not e.retracted and (relevance is None or relevance.get(e.id, 0.0) > 0)]
    seen = look(asked, understanding, usable, encode, rarity, vocabulary, learned)
    findings = sorted(seen.findings, key=lambda f: -(1.0 if relevance is None else relevance[f.evidence.id]))
    choice, quotes = _decide(findings)
    if choice is None and complete is not None:
        lists = [finding for finding in findings if complete(finding.evidence, read(asked))]
        choice, quotes = ("no", _quoted(lists[:1])) if lists else (None, [])
    steps = [f"To decide: {asked}", *(_weighing(finding) for finding in findings)]
    if learned is not None and findings and all(piece.source == "given" for piece in usable):
        weighed = weigh(seen.readings(learned))
        steps.append(f"Taken together: yes {weighed.yes:.2f}, no {weighed.no:.2f}")
        return _of_given(choice, quotes, weighed, seen, learned, steps, examined=examined)
    if choice is None:
        choice, quotes = _by_results(seen)
    if quotes and all(of_a_kind(asked, understanding.subject, quote.text) for quote in quotes):
        choice = "maybe"
    return _draft(choice, quotes, steps)


class Seen(NamedTuple):
    """What texts have on a question: what single statements say, and what reports found, heaviest first."""

    asked: str
    evidence: Sequence[Evidence]
    findings: Sequence[Finding]
    results: Sequence[Reported]

    @property
    def many(self) -> bool:
        """Whether there is more to take together than one short text."""
        return len(self.evidence) > 1 or any(f.long and speaks_as_one(f.evidence.text) for f in self.findings)

    @property
    def weights(self) -> tuple[float, float]:
        """What the results weigh that report an effect, and those that report none."""
        effect, none = (sum(r.weight for r, _ in self.results if r.found is kind) for kind in (True, False))
        return effect, none

    def readings(self, learned: Learned) -> Readings:
        """What is read in the texts as a whole."""
        return readings_of(self.asked, self.evidence, self.findings, self.weights, learned)


def look(
    asked: str,
    understanding: Understood,
    evidence: Sequence[Evidence],
    encode: Encode,
    rarity: Rarity,
    vocabulary: Vocabulary = PLAIN,
    learned: Learned | None = None,
) -> Seen:
    """What evidence has on a question."""
    claim = Claim(
        text=asked, span=(0, len(asked)), subject=understanding.subject or None, object=understanding.object or None
    )
    findings = examine([claim], evidence, encode, rarity, vocabulary, learned)[0]
    claimed = claimed_statements(read(asked))
    found: list[Reported] = []
    for piece in evidence:
        passage = read_passage(piece.text, piece.title)
        if piece.source in REPORTS and REPORT <= len(passage.sentences) <= LONGEST:
            report = read(piece.text, piece.title)
            told = results(read(asked), claimed, report, rarity, vocabulary, passage.short_forms)
            found += [(result, piece) for result in told]
    return Seen(asked, evidence, findings, sorted(found, key=lambda pair: -pair[0].weight))


def _question(text: str) -> str:
    asked = " ".join(text.split())
    return asked if asked.endswith("?") else f"{asked}?"


def _decide(findings: Sequence[Finding]) -> tuple[str | None, list[Quote]]:
    """The choice by what is stated, and the sentences that speak for it."""
    yes = [f for f in findings if f.stand.supports and not f.vetoed]
    no = [f for f in findings if f.denies]
    if yes and no:
        return "maybe", _quoted([yes[0], *(f for f in no[:1] if f is not yes[0])])
    if yes or no:
        return ("yes", _quoted(yes)) if yes else ("no", _quoted(no))
    unsure = [f for f in findings if f.stand.obstacle == "doubt" or f.stand.unsettled]
    return ("maybe", _quoted(unsure)) if unsure else (None, [])


def _of_given(
    stated: str | None,
    quotes: Sequence[Quote],
    weighed: Weighed,
    seen: Seen,
    learned: Learned,
    steps: Sequence[str],
    *,
    examined: bool,
) -> Draft:
    """The draft from texts that were given, by what they come to and by what is ``stated``."""
    sure = weighed.chance(weighed.choice) >= (LIKELY if seen.many else SURE[weighed.choice])
    if sure or examined or (seen.many and stated is None):
        choice = weighed.likeliest if examined else weighed.choice
        share = 1.0 if sure or seen.many else SHORT_SHARE
        return _draft(choice, _speaking(choice, seen, learned), steps, share * weighed.chance(choice))
    if stated is not None and (seen.many or stated == "maybe"):
        return _draft(stated, quotes, steps, weighed.chance(stated))
    return _draft(None, (), steps)


def _by_results(seen: Seen) -> tuple[str | None, list[Quote]]:
    """The choice by what reports found: what weighs more, quoted."""
    effect, none = seen.weights
    if not effect and not none:
        return None, []
    choice = "yes" if effect * NULL_WEIGHT >= none else "no"
    return choice, _told(choice, seen.results)


def _told(choice: str, found: Sequence[Reported]) -> list[Quote]:
    told = [(result, piece) for result, piece in found if result.found is (choice == "yes")]
    return [Quote(evidence_id=piece.id, text=result.sentence.text) for result, piece in told[:1]]


def _speaking(choice: str, seen: Seen, learned: Learned) -> list[Quote]:
    """What speaks for a choice: what states it, else the results, else the last sentence that reads most so.

    For ``maybe`` that is what speaks for a yes, and what for a no.
    """
    if choice == "maybe":
        return [quote for word in ("yes", "no") for quote in _speaking(word, seen, learned)]
    side = ("yes", "no").index(choice)
    stated = [f for f in seen.findings if (f.stand.supports, f.stand.contradicts)[side]]
    if quotes := _quoted(stated) or _told(choice, seen.results):
        return quotes
    last = [
        Quote(evidence_id=piece.id, text=window.text)
        for piece in seen.evidence
        for window in read_passage(piece.text, piece.title).sentences[-LAST:]
    ]
    read_so = learned([(seen.asked, quote.text, "") for quote in last])
    return [max(zip(read_so, last, strict=True), key=lambda pair: pair[0][side])[1]]


def _quoted(findings: Sequence[Finding]) -> list[Quote]:
    return [Quote(evidence_id=finding.evidence.id, text=finding.window.text) for finding in findings]


def _weighing(finding: Finding) -> str:
    stood = finding.stand
    said = "says yes" if stood.supports else "says no" if stood.contradicts else stood.why
    both = " and no" if stood.supports and stood.contradicts else ""
    return f"{finding.evidence.id}: {said}{both}"


def _draft(choice: str | None, quotes: Sequence[Quote], reasoning: Sequence[str], chance: float | None = None) -> Draft:
    if choice is None:
        return Draft(text="", reasoning=(*reasoning, "No evidence says either"))
    draft = Draft(text=f"{choice.capitalize()}.", choice=choice, chance=chance, reasoning=(*reasoning,))
    for quote in _unlike(quotes, choice)[:_QUOTED]:
        draft = with_sentence(draft, quote.text, quote.evidence_id)
    return draft


def _unlike(quotes: Sequence[Quote], choice: str) -> list[Quote]:
    """Those that do not say nearly what one before says; of a "maybe", where a "not" may be all, the very same."""
    kept: dict[str, Quote] = {}
    for quote in quotes:
        alike = (repeats(_stems(quote.text), _stems(other)) for other in kept)
        if quote.text not in kept and (choice == "maybe" or not any(alike)):
            kept[quote.text] = quote
    return list(kept.values())


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))
