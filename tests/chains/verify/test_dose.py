"""A dose in a claim needs the same number, unit and frequency in a quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.verify.dose import dose_fault, doses


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Give 500 mg of metformin.", "Metformin is started at 500 mg."),
        ("The maximum is 4 g per day.", "Do not exceed 4000 mg daily."),
        ("The maximum is 4,000 mg.", "At most 4 g are given."),
        ("Take 100 mcg of levothyroxine.", "Levothyroxine 100 µg is usual."),
        ("Take 0.1 mg.", "Take 100 micrograms."),
        ("Take one tablet twice daily.", "1 tablet two times a day is taken."),
        ("The dose is 250–500 mg.", "Give 250 to 500 mg."),
        ("The dose is 250 mg to 500 mg.", "Give 250-500 mg."),
        ("The dose is 0.5-1 g.", "Start with 500 mg and increase to 1000 mg."),
        ("Give 15 mg/kg every 6 hours.", "15 mg per kg four times daily is given."),
        ("Give 15 mg/kg/day.", "15 mg/kg daily."),
        ("Use 10,000 IU weekly.", "10000 international units once a week."),
        ("10 units are injected.", "Inject 10 U."),
        ("Take 500 mg.", "Take 500 mg twice daily."),
        ("Take 500 mg twice daily.", "The dose is 500 mg."),
        ("Take 500 mg bid.", "500 mg every 12 hours."),
        ("Take 500 mg twice daily.", "Begin with 500 mg once daily, then take 500 mg twice daily."),
        ("Take 70 mg once a week.", "70 mg weekly."),
        ("Take 20 mg every other day.", "20 mg every 2 days."),
        ("Take two puffs.", "2 puffs are inhaled."),
        ("Hydrocortisone 1% cream is used.", "1 % cream is the weakest."),
        ("Give 2.5 ml.", "2.5 mL is enough."),
        ("Take half a tablet.", "Take 0.5 tablets."),
        ("Doses of 5, 10 and 20 mg exist.", "It comes as 5 mg, 10 mg and 20 mg."),
        ("500 mg/m2 is infused.", "Infuse 500 mg per m2."),
        ("Warfarin thins the blood.", "Nothing of a dose."),
        ("In 2 of 10 patients it fails after 3 years.", "It may fail."),
        ("A glucose of 126 mg/dL is diabetes.", "High glucose is diabetes."),
        ("The risk rises by 30%.", "The risk rises."),
        ("One U.S. registry lists 6 US families.", "A registry lists families."),
        ("Blood glucose was 150 milligrams per deciliter.", "It was high."),
        ("Sodium was 130 mmol/L.", "Sodium was low."),
    ],
)
def test_an_attested_dose_is_no_fault(claim: str, quote: str) -> None:
    assert dose_fault(claim, [quote]) is None


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Take 5 mg.", "Take 0.5 mg."),
        ("Take 0.5 mg.", "Take 5 mg."),
        ("Take 500 mg.", "Take 500 mcg."),
        ("Take 50 mg.", "Take 500 mg."),
        ("Take 500 mg.", "Take it with 500 ml of water."),
        ("Give 10 mg.", "Give 10 mg/kg."),
        ("Give 10 mg/kg.", "Give 10 mg."),
        ("Take 500 mg twice daily.", "Take 500 mg once daily."),
        ("Take 500 mg every 4 hours.", "Take 500 mg every 6 hours."),
        ("Take 10 mg daily.", "Take 10 mg weekly."),
        ("Take one tablet three times a day.", "Take one tablet twice a day."),
        ("Take two tablets.", "Take one tablet."),
        ("The dose is 250-1000 mg.", "The dose is 250-500 mg."),
        ("Take 300 mg.", "Take 250-500 mg."),
        ("Inject 10 units.", "Inject 100 units."),
        ("Use the 2.5% cream.", "Use the 1% cream."),
        ("Take 1 g and then 2 g.", "Take 1 g."),
        ("Take 500 mg.", "It is well tolerated."),
    ],
)
def test_another_dose_is_a_fault_that_names_it(claim: str, quote: str) -> None:
    fault = dose_fault(claim, [quote])
    assert fault is not None
    assert doses(claim)[-1].text in fault or doses(claim)[0].text in fault


def test_a_dose_without_any_quote_is_a_fault() -> None:
    assert dose_fault("Take 500 mg of it.", []) == "no quote states the dose 500 mg"


def test_the_reason_tells_what_is_stated_instead() -> None:
    fault = dose_fault("Take 5 mg daily.", ["Take 0.5 mg daily."])
    assert fault == "no quote states the dose 5 mg: stated is 0.5 mg"
    assert dose_fault("Take 5 mg daily.", ["Take 5 mg weekly."]) == (
        "the quotes give 5 mg another frequency than the claim"
    )


def test_one_of_several_quotes_is_enough() -> None:
    assert dose_fault("Take 5 mg.", ["It is a pill.", "5 mg is usual."]) is None


@given(st.integers(1, 999_999))
def test_grams_and_milligrams_are_one_quantity(milligrams: int) -> None:
    assert dose_fault(f"Take {milligrams} mg.", [f"Take {milligrams / 1000:.3f} g."]) is None
    assert dose_fault(f"Take {milligrams} mg.", [f"Take {milligrams + 1} mg."]) is not None


@given(st.text(max_size=200))
def test_a_text_attests_its_own_doses(text: str) -> None:
    assert dose_fault(text, [text]) is None
