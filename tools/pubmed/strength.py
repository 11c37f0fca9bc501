"""How strong an article's design makes it as evidence, read off its publication types and MeSH headings.

The order is that of the Oxford Centre for Evidence-Based Medicine (2011) for questions of treatment, with guidelines,
which it does not rank, beside systematic reviews. The weights are a choice of this project, the same as verification
uses for the names of levels. The first row that fits counts:

    level                                weight  publication types                          MeSH headings
    correction or retraction notice        0.0   Published Erratum, Retraction Notice, …
    preprint                               0.4   Preprint
    protocol                               0.2   Clinical Trial Protocol
    guideline                              0.95  (Practice) Guideline, Consensus …
    systematic review or meta-analysis     0.95  Systematic Review, (Network) Meta-Analysis
    animal or laboratory study             0.3   …, Veterinary                              Animals without Humans
    randomised trial                       0.85  Randomized Controlled Trial, …             Random Allocation
    clinical trial                         0.8   Clinical Trial …, Controlled …             Double-Blind Method
    cohort study                           0.7                                              Cohort Studies and below
    case-control study                     0.6                                              Case-Control Studies
    observational study                    0.6   Observational Study                        Cross-Sectional Studies
    case report                            0.5   Case Reports
    expert opinion                         0.4   Editorial, Letter, Comment, News, …
    review                                 0.55  Review, Scoping Review
    (none stated)                          0.6

A record that NLM has not indexed yet often says no more than Journal Article: then no level is stated, and none is
guessed from its words. Headings about designs ("Randomized Controlled Trials as Topic") say nothing of a record's own.
"""

from __future__ import annotations

from typing import NamedTuple

from tools.pubmed.records import Record

UNSTATED_WEIGHT = 0.6

_ANIMALS, _HUMANS = "animals", "humans"


class _Level(NamedTuple):
    name: str
    weight: float
    types: frozenset[str] = frozenset()
    headings: frozenset[str] = frozenset()


NOTICE = "correction or retraction notice"
ANIMAL = "animal or laboratory study"


def _named(listed: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in listed.split("|"))


_LEVELS = (
    _Level(
        NOTICE,
        0.0,
        _named("Published Erratum | Retraction of Publication | Retraction Notice | Expression of Concern"),
    ),
    _Level("preprint", 0.4, _named("Preprint")),
    _Level("protocol", 0.2, _named("Clinical Trial Protocol")),
    _Level(
        "guideline",
        0.95,
        _named(
            "Guideline | Practice Guideline | Consensus Development Conference | "
            "Consensus Development Conference, NIH | Consensus Statement"
        ),
    ),
    _Level(
        "systematic review or meta-analysis", 0.95, _named("Systematic Review | Meta-Analysis | Network Meta-Analysis")
    ),
    _Level(
        ANIMAL,
        0.3,
        _named(
            "Randomized Controlled Trial, Veterinary | Clinical Trial, Veterinary | Observational Study, Veterinary"
        ),
    ),
    _Level(
        "randomised trial",
        0.85,
        _named("Randomized Controlled Trial | Equivalence Trial | Pragmatic Clinical Trial | Adaptive Clinical Trial"),
        _named("Random Allocation"),
    ),
    _Level(
        "clinical trial",
        0.8,
        _named(
            "Clinical Trial | Controlled Clinical Trial | Clinical Trial, Phase I | Clinical Trial, Phase II | "
            "Clinical Trial, Phase III | Clinical Trial, Phase IV"
        ),
        _named("Double-Blind Method | Single-Blind Method"),
    ),
    _Level(
        "cohort study",
        0.7,
        headings=_named(  # with its four narrower headings
            "Cohort Studies | Longitudinal Studies | Follow-Up Studies | Prospective Studies | Retrospective Studies"
        ),
    ),
    _Level("case-control study", 0.6, headings=_named("Case-Control Studies")),
    _Level("observational study", 0.6, _named("Observational Study"), _named("Cross-Sectional Studies")),
    _Level("case report", 0.5, _named("Case Reports")),
    _Level(
        "expert opinion",
        0.4,
        _named(
            "Editorial | Letter | Comment | News | Newspaper Article | Personal Narrative | Interview | Lecture | "
            "Address | Patient Education Handout | Biography | Introductory Journal Article"
        ),
    ),
    _Level("review", 0.55, _named("Review | Scoping Review")),
)
_WEIGHTS = {level.name: level.weight for level in _LEVELS}


def level_of(record: Record) -> str | None:
    """Return the level of a record; None where neither types nor headings tell its design."""
    types = {name.lower() for name in record.types}
    headings = {heading.name.lower() for heading in record.headings}
    about_animals = _ANIMALS in headings and _HUMANS not in headings
    for level in _LEVELS:
        if types & level.types or headings & level.headings or (about_animals and level.name == ANIMAL):
            return level.name
    return None


def weight_of(level: str | None) -> float:
    """Return the weight of a level, in [0, 1]; that of an unstated one where it is not in the table."""
    return _WEIGHTS.get(level or "", UNSTATED_WEIGHT)
