"""Figures of two groups decide a claim that compares them, and nothing else does."""

from __future__ import annotations

import pytest

from chains.verify.chance import by_chance
from chains.verify.counted import counted, left_open

NAUSEA = "Nausea occurred in 44% of the semaglutide group and 16% of the placebo group."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Nausea was more common with semaglutide than with placebo.", NAUSEA),
        ("Nausea was less common with placebo than with semaglutide.", NAUSEA),
        ("Compared with placebo, semaglutide caused more nausea.", NAUSEA + " The cause is the dose."),
        ("Gauze had a higher rate of infection than silver foam.", "Rates of infection: gauze 12%, silver foam 4%."),
        (
            "Recurrence was rarer on apixaban than on placebo.",
            "With apixaban recurrence was seen in 3%, against 9% with placebo.",
        ),
        (
            "Depression was more common in women than in men.",
            "Depression was present in 17% and 29% of men and women, respectively.",
        ),
        ("Asthma was twice as common in boys as in girls.", "Asthma was found in 10% of boys and 5% of girls."),
        (
            "Blood pressure fell more with amlodipine than with placebo.",
            "Blood pressure fell by 8 mmHg with amlodipine and by 1 mmHg with placebo.",
        ),
        (
            "Recovery was quicker with remdesivir than with placebo.",
            "Recovery took 10 days with remdesivir and 15 days with placebo.",
        ),
        (
            "Smokers had more wound problems than non-smokers.",
            "Wound problems arose in 26% of smokers. In non-smokers the rate was 9%.",
        ),
        (
            "Death was less likely with dapagliflozin than with placebo.",
            "For death, the hazard ratio with dapagliflozin versus placebo was 0.72 (95% CI 0.61 to 0.85).",
        ),
        (
            "Headache was no more common with the vaccine than with placebo.",
            "Headache was reported by 11% after the vaccine and 11% after placebo.",
        ),
    ],
)  # fmt: skip
def test_figures_tell_which_group_has_more(claim: str, passage: str) -> None:
    found = counted(claim, passage)
    assert found is not None
    assert found.toward == 1


@pytest.mark.parametrize(
    "claim",
    [
        "Nausea was less common with semaglutide than with placebo.",
        "Nausea was more common with placebo than with semaglutide.",
        "Nausea was half as common with semaglutide as with placebo.",
    ],
)
def test_the_other_direction_is_contradicted(claim: str) -> None:
    found = counted(claim, NAUSEA)
    assert found is not None
    assert found.toward == -1


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Vomiting was more common with semaglutide than with placebo.", NAUSEA),
        ("Nausea was more common with semaglutide than with liraglutide.", NAUSEA),
        ("Nausea was not more common with semaglutide than with placebo.", NAUSEA),
        ("Nausea was better with semaglutide than with placebo.", NAUSEA),
        ("Nausea lasts more than three days.", NAUSEA),
        (
            "Metformin reduced HbA1c compared with placebo.",
            "HbA1c fell by 1.5% with metformin and by 0.2% with placebo.",
        ),
        ("Fewer had pain with aspirin than with placebo.", "60% with aspirin and 40% with placebo had no pain."),
        (
            "Nausea was more common with aspirin than with rest.",
            "Nausea was seen in 18% with aspirin and 16% with rest (difference 2, 95% CI -3 to 7).",
        ),
        (
            "Nausea was more common with aspirin than with rest.",
            "Nausea was feared. Cramps were seen in 18% with aspirin and 6% with rest.",
        ),
        (
            "Nausea was more common with aspirin than with rest.",
            "Nausea was asked for in 1306 patients on aspirin and 655 at rest.",
        ),
        (
            "Falls were fewer with the tablets than with placebo.",
            "Falls were recorded in 31% on the tablets and 34% on placebo; the difference was not significant.",
        ),
        (
            "Stroke was less likely with dabigatran than with warfarin.",
            "The hazard ratio for stroke with dabigatran versus warfarin was 0.91 (95% CI 0.74 to 1.11).",
        ),
        (
            "Relapse was more frequent with rituximab than with azathioprine.",
            "Arm 1 had azathioprine, arm 2 rituximab. Relapse was seen in 5% of arm 1.",
        ),
        (
            "Blood pressure was lower with amlodipine than with placebo.",
            "Blood pressure fell by 8 mmHg with amlodipine and by 1 mmHg with placebo.",
        ),
    ],
)  # fmt: skip
def test_what_figures_do_not_tell_stays_open(claim: str, passage: str) -> None:
    assert counted(claim, passage) is None


def test_figures_without_a_word_that_compares_leave_a_comparison_open() -> None:
    assert left_open("Vomiting was worse with semaglutide than with placebo.", NAUSEA)
    assert not left_open("Nausea lasts more than three days.", NAUSEA)
    assert not left_open("Nausea is common.", NAUSEA)


def test_a_difference_that_may_be_chance_is_told() -> None:
    told = "Leaks were seen in 4.0% and 5.2%; this difference did not reach significance."
    assert by_chance("The drug reduces leaks.", told)
    assert not by_chance("The drug made no significant difference to leaks.", told)
    assert not by_chance("The drug reduces leaks.", NAUSEA)
