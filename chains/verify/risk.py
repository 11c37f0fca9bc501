"""From the findings on one claim to its verdict: label, probabilities, risk, quotes and the reason in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from chains.verify.entailment import Probabilities, reason
from chains.verify.finding import Finding
from core.schema import Claim, Evidence, Label, Quote, Verdict

_QUOTES = 2
_COVERED = 0.5
_STRENGTHS = (
    ("notice", 0.0),
    ("preprint", 0.4),
    ("protocol", 0.2),
    ("animal", 0.3),
    ("systematic review", 0.95),
    ("meta-analysis", 0.95),
    ("guideline", 0.95),
    ("randomi", 0.85),
    ("trial", 0.8),
    ("cohort", 0.7),
    ("case-control", 0.6),
    ("case", 0.5),
    ("expert", 0.4),
    ("review", 0.55),
)
"""Words of a level's name with its weight; the first that fits counts.

The order of designs is that of the Oxford Centre for Evidence-Based Medicine (2011) for questions of treatment, with
guidelines, which it does not rank, beside systematic reviews. The weights are a choice of this project.
"""
_UNSTATED = 0.6
VETO = "its words come close, but a second reading does not find it said there"


class _Weighed(NamedTuple):
    """A finding with the probability that its evidence answers the question."""

    finding: Finding
    answers: float

    @property
    def worth(self) -> float:
        return self.finding.probabilities.supported * self.answers


def judge(claim: Claim, findings: Sequence[Finding], relevance: Mapping[str, float] | None = None) -> Verdict:
    """The verdict on a claim.

    ``relevance`` maps the id of evidence to the probability that it answers the question; evidence that it does not
    name answers nothing. Risk is ``1 − p_supported · p_answers`` of the best supporting evidence, and without a
    question ``1 − p_supported``. Retracted evidence neither supports nor contradicts.
    """
    valid = [
        _Weighed(finding, 1.0 if relevance is None else relevance.get(finding.evidence.id, 0.0))
        for finding in findings
        if not finding.evidence.retracted
    ]
    retracted = [finding for finding in findings if finding.evidence.retracted and finding.supports]
    if not valid:
        return Verdict(
            claim=claim, label="unverifiable", p_supported=0.0, p_contradicted=0.0, risk=1.0, why=_nothing(retracted)
        )
    best = max(valid, key=lambda w: (w.worth, w.finding.probabilities.supported, w.finding.probabilities.contradicted))
    support = _first(sorted((w for w in valid if w.finding.supports), key=_by_worth))
    against = _first(sorted((w for w in valid if _opposes(w.finding)), key=_by_contradiction))
    probabilities = _pooled(best.finding, against[0].finding if against else None)
    label = _label(probabilities, bool(support), bool(against))
    if label == "unverifiable":  # what nothing attests is at best as likely as not
        probabilities = probabilities._replace(supported=min(probabilities.supported, 0.5))
    shown = against[0] if label == "contradicted" and against else best
    return Verdict(
        claim=claim,
        label=label,
        p_supported=probabilities.supported,
        p_contradicted=probabilities.contradicted,
        risk=1.0 - probabilities.supported * best.answers,
        quotes=_quotes(support, against),
        why=_why(label, shown, support, against, retracted),
        signals={
            **shown.finding.signals,
            "verbatim": float(best.finding.verbatim),
            "p_answers": None if relevance is None else best.answers,
            "independent_sources": float(len({_document(w.finding.evidence) for w in valid if w.finding.supports})),
            "opposing_sources": float(len({_document(w.finding.evidence) for w in valid if _opposes(w.finding)})),
            "source_strength": strength(best.finding.evidence),
        },
    )


def strength(evidence: Evidence) -> float:
    """How strong a source is, in [0, 1]: a certified text 1, otherwise by its stated level, retracted 0."""
    if evidence.retracted:
        return 0.0
    if evidence.certified:
        return 1.0
    level = (evidence.level or "").lower()
    return next((value for name, value in _STRENGTHS if name in level), _UNSTATED)


def _by_worth(weighed: _Weighed) -> float:
    return -weighed.worth


def _by_contradiction(weighed: _Weighed) -> float:
    return -weighed.finding.probabilities.contradicted


def _first(weighed: Sequence[_Weighed]) -> list[_Weighed]:
    """The foremost, one a text: the same sentence in two places is one quote."""
    return list({w.finding.window.text: w for w in reversed(weighed)}.values())[::-1][:_QUOTES]


def _opposes(finding: Finding) -> bool:
    """Whether the finding contradicts, about what the claim is about."""
    near = finding.signals.get("similarity") is not None
    return finding.contradicts and (near or (finding.signals.get("containment_titled") or 0.0) >= _COVERED)


def _pooled(best: Finding, against: Finding | None) -> Probabilities:
    """Probabilities of the best evidence, with those of evidence against it taken as independent of it.

    Where one supports and the other contradicts, both cannot hold: that share is split by their probabilities.
    """
    s, c = best.probabilities
    if against is None or against is best:
        return Probabilities(s, c)
    other = against.probabilities.contradicted
    torn = s * other / (s + other) if s + other > 0 else 0.0
    return Probabilities(s * (1.0 - other) + s * torn, max(c * (1.0 - other), 0.0) + other * (1.0 - s) + other * torn)


def _label(probabilities: Probabilities, supported: bool, contradicted: bool) -> Label:
    p = probabilities
    if supported and p.supported >= max(p.contradicted, p.neither):
        return "supported"
    if contradicted and p.contradicted >= max(p.supported, p.neither):
        return "contradicted"
    return "unverifiable"


def _quotes(support: Sequence[_Weighed], against: Sequence[_Weighed]) -> tuple[Quote, ...]:
    quotes = []
    for finding, _ in (*support, *against):
        text = finding.window.text
        if text not in finding.evidence.text:
            raise AssertionError(f"a quote is not in {finding.evidence.id}")
        quotes.append(Quote(evidence_id=finding.evidence.id, text=text))
    return tuple(quotes)


def _why(
    label: Label,
    shown: _Weighed,
    support: Sequence[_Weighed],
    against: Sequence[_Weighed],
    retracted: Sequence[Finding],
) -> str:
    parts = [_sentence(label, shown)]
    if label == "supported" and against:
        parts.append(f"{against[0].finding.evidence.id} speaks against it")
    if label == "contradicted" and support:
        parts.append(f"{support[0].finding.evidence.id} speaks for it")
    if retracted:
        parts.append(_retractions(retracted))
    return "; ".join(parts)


def _sentence(label: Label, shown: _Weighed) -> str:
    finding = shown.finding
    name = finding.evidence.id
    if label == "supported":
        stated = "it stands word for word in" if finding.verbatim else "it is stated in"
        return f"{stated if finding.stand.supports else 'its content is in'} {name}"
    cause = VETO if finding.vetoed else finding.stand.why or reason(finding.signals)
    if label == "contradicted":
        said = finding.stand.why if finding.stand.contradicts else reason(finding.signals)
        return f"{name} says otherwise" + (f": {said}" if said else "")
    return f"nothing found attests it; nearest is {name}" + (f": {cause}" if cause else "")


def _nothing(retracted: Sequence[Finding]) -> str:
    return _retractions(retracted) if retracted else "there is no evidence to check it against"


def _retractions(retracted: Sequence[Finding]) -> str:
    return f"{', '.join(finding.evidence.id for finding in retracted)} says so but has been retracted"


def _document(evidence: Evidence) -> str:
    """What a piece of evidence is a part of: passages of one document are one source."""
    return evidence.id.partition("#")[0]
