"""A claim takes a passage's wording of what both measure alike."""

from __future__ import annotations

import pytest

from chains.verify.aligned import in_measures_of, unmeasured


@pytest.mark.parametrize(
    ("passage", "claim", "read"),
    [
        ("Diarrhoea occurred in 25% of patients.", "One in four patients had it.", "25% of patients had it."),
        ("Take it for 7 days.", "The course lasts a week.", "The course lasts 7 days."),
        ("Give it every six hours.", "It is given four times a day.", "It is given every six hours."),
        ("Of those enrolled, 62% finished.", "Most of the women finished.", "62% of the women finished."),
        ("40 of the 80 ulcers healed.", "Half of the wounds healed.", "40 of the 80 wounds healed."),
        ("Do not take more than 4,000 mg.", "Take no more than 4 g.", "Take no more than 4,000 mg."),
        ("It lasts 6 months.", "It lasts about half a year.", "It lasts 6 months."),
    ],
)
def test_a_measure_in_other_words_is_read_as_the_passage_has_it(passage: str, claim: str, read: str) -> None:
    assert in_measures_of(passage, claim) == read


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Take it for 10 days.", "The course lasts a week."),
        ("Vomiting was seen in 30% of patients.", "One in four patients vomited."),
        ("The maximum is 500 mg.", "Take up to four grams."),
        ("Death within 30 days was rare.", "30-day deaths were rare."),
        ("Gout is common.", "Most people have no gout."),
        ("", "It takes a week."),
    ],
)
def test_what_is_no_equal_measure_stays(passage: str, claim: str) -> None:
    assert in_measures_of(passage, claim) == claim


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("About a quarter of participants left early.", True),
        ("More than a fifth of participants left early.", True),
        ("Roughly one in five participants left early.", False),
        ("The trial lasted two years.", False),
        ("The trial lasted a year.", True),
        ("Most participants left early.", False),
        ("The trial had two arms.", False),
    ],
)
def test_a_measure_that_the_passage_gives_otherwise_is_missing(claim: str, missing: bool) -> None:
    assert unmeasured("Vitamin D was given for two years. Some 19% of participants left early.", claim) is missing
