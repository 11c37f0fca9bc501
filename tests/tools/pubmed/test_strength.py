from __future__ import annotations

from collections.abc import Sequence

import pytest

from tools.pubmed.records import Heading, Record
from tools.pubmed.strength import level_of

ANIMALS, HUMANS = "Animals", "Humans"


def record(types: Sequence[str] = (), mesh: Sequence[str] = ()) -> Record:
    return Record(pmid="1", types=("Journal Article", *types), headings=tuple(Heading(name=name) for name in mesh))


@pytest.mark.parametrize(
    ("types", "mesh", "level"),
    [
        (["Practice Guideline", "Review"], [], "guideline"),
        (["Systematic Review"], [], "systematic review or meta-analysis"),
        (["Meta-Analysis", "Review"], [], "systematic review or meta-analysis"),
        (["Randomized Controlled Trial", "Multicenter Study"], [HUMANS], "randomised trial"),
        (["Controlled Clinical Trial"], [], "clinical trial"),
        (["Clinical Trial, Phase II"], ["Prospective Studies"], "clinical trial"),
        (["Observational Study"], ["Cohort Studies"], "cohort study"),
        ([], ["Retrospective Studies"], "cohort study"),
        ([], ["Case-Control Studies"], "case-control study"),
        (["Observational Study"], [], "observational study"),
        ([], ["Cross-Sectional Studies"], "observational study"),
        (["Case Reports", "Letter"], [], "case report"),
        (["Review"], [], "review"),
        (["Editorial", "Review"], [], "expert opinion"),
        (["Comment", "Letter"], [], "expert opinion"),
        (["Preprint", "Randomized Controlled Trial"], [], "preprint"),
        (["Clinical Trial Protocol", "Randomized Controlled Trial"], [], "protocol"),
        (["Randomized Controlled Trial"], [ANIMALS], "animal or laboratory study"),
        (["Randomized Controlled Trial"], [ANIMALS, HUMANS], "randomised trial"),
        (["Published Erratum"], [], "correction or retraction notice"),
        (["Retraction Notice"], [], "correction or retraction notice"),
        ([], ["Randomized Controlled Trials as Topic"], None),
        ([], [], None),
    ],
)
def test_levels(types: list[str], mesh: list[str], level: str | None) -> None:
    assert level_of(record(types, mesh)) == level
