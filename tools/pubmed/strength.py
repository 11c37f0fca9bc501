"""How strong an article's design makes it as evidence, read off its publication types and MeSH headings.

The first row that fits counts; what a level weighs, verification decides:

    level                                publication types                          MeSH headings
    correction or retraction notice      Published Erratum, Retraction Notice, …
    preprint                             Preprint
    protocol                             Clinical Trial Protocol
    guideline                            (Practice) Guideline, Consensus …
    systematic review or meta-analysis   Systematic Review, (Network) Meta-Analysis
    animal or laboratory study           …, Veterinary                              Animals without Humans
    randomised trial                     Randomized Controlled Trial, …             Random Allocation
    clinical trial                       Clinical Trial …, Controlled …             Double-Blind Method
    cohort study                                                                    Cohort Studies and below
    case-control study                                                              Case-Control Studies
    observational study                  Observational Study                        Cross-Sectional Studies
    case report                          Case Reports
    expert opinion                       Editorial, Letter, Comment, News, …
    review                               Review, Scoping Review

A record that NLM has not indexed yet often says no more than Journal Article: then no level is stated, and none is
guessed from its words. Headings about designs ("Randomized Controlled Trials as Topic") say nothing of a record's own.
"""

from __future__ import annotations

from typing import NamedTuple

from tools.pubmed.records import Record

_ANIMALS, _HUMANS = "animals", "humans"


class _Level(NamedTuple):
    name: str
    types: frozenset[str] = frozenset()
    headings: frozenset[str] = frozenset()


NOTICE = "correction or retraction notice"
ANIMAL = "animal or laboratory study"


def _named(listed: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in listed.split("|"))


_LEVELS = (
    _Level(
        NOTICE,
        _named("Published Erratum | Retraction of Publication | Retraction Notice | Expression of Concern"),
    ),
    _Level("preprint", _named("Preprint")),
    _Level("protocol", _named("Clinical Trial Protocol")),
    _Level(
        "guideline",
        _named(
            "Guideline | Practice Guideline | Consensus Development Conference | "
            "Consensus Development Conference, NIH | Consensus Statement"
        ),
    ),
    _Level("systematic review or meta-analysis", _named("Systematic Review | Meta-Analysis | Network Meta-Analysis")),
    _Level(
        ANIMAL,
        _named(
            "Randomized Controlled Trial, Veterinary | Clinical Trial, Veterinary | Observational Study, Veterinary"
        ),
    ),
    _Level(
        "randomised trial",
        _named("Randomized Controlled Trial | Equivalence Trial | Pragmatic Clinical Trial | Adaptive Clinical Trial"),
        _named("Random Allocation"),
    ),
    _Level(
        "clinical trial",
        _named(
            "Clinical Trial | Controlled Clinical Trial | Clinical Trial, Phase I | Clinical Trial, Phase II | "
            "Clinical Trial, Phase III | Clinical Trial, Phase IV"
        ),
        _named("Double-Blind Method | Single-Blind Method"),
    ),
    _Level(
        "cohort study",
        headings=_named(  # with its four narrower headings
            "Cohort Studies | Longitudinal Studies | Follow-Up Studies | Prospective Studies | Retrospective Studies"
        ),
    ),
    _Level("case-control study", headings=_named("Case-Control Studies")),
    _Level("observational study", _named("Observational Study"), _named("Cross-Sectional Studies")),
    _Level("case report", _named("Case Reports")),
    _Level(
        "expert opinion",
        _named(
            "Editorial | Letter | Comment | News | Newspaper Article | Personal Narrative | Interview | Lecture | "
            "Address | Patient Education Handout | Biography | Introductory Journal Article"
        ),
    ),
    _Level("review", _named("Review | Scoping Review")),
)


def level_of(record: Record) -> str | None:
    """Return the level of a record; None where neither types nor headings tell its design."""
    types = {name.lower() for name in record.types}
    headings = {heading.name.lower() for heading in record.headings}
    about_animals = _ANIMALS in headings and _HUMANS not in headings
    for level in _LEVELS:
        if types & level.types or headings & level.headings or (about_animals and level.name == ANIMAL):
            return level.name
    return None
