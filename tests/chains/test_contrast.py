"""The two sides of a question that compares."""

import pytest

from chains.contrast import compared


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("difference between a sprain and a strain", ("a sprain", "a strain")),
        ("difference between a cold an allergies", ("a cold", "allergies")),
        ("difference between flu & a cold", ("flu", "a cold")),
        ("difference between having an MRI and a CT scan", ("having an MRI", "a CT scan")),
        ("rheumatoid arthritis vs osteoarthritis", ("rheumatoid arthritis", "osteoarthritis")),
        ("cold or flu, how to tell", ("cold", "flu")),
        ("is Tylenol the same thing as Advil?", ("Tylenol", "Advil")),
        ("Is meloxicam same as naproxen?", ("meloxicam", "naproxen")),
        ("are metformin and metoprolol the same medicine?", ("metformin", "metoprolol")),
        ("is sinusitis different from a cold?", ("sinusitis", "a cold")),
        ("Are shingles and chickenpox the same thing?", ("shingles", "chickenpox")),
        ("is gout or sugar bad for me", None),
        ("what is dementia vs alzheimers", ("dementia", "alzheimers")),
        ("anemia vs leukemia - both make you pale", ("anemia", "leukemia")),
        ("difference between viral and bacterial meningitis", ("viral meningitis", "bacterial meningitis")),
        ("type 1 vs type 2 diabetes", ("type 1 diabetes", "type 2 diabetes")),
        ("How can you tell baby blues from postnatal depression?", ("baby blues", "postnatal depression")),
        ("how do a cold and the flu differ?", ("a cold", "the flu")),
        ("how are type 1 and type 2 diabetes different", ("type 1 diabetes", "type 2 diabetes")),
        ("how do i know if my pain is from my heart", None),
        ("which is worse bronchitis or pneumonia", ("bronchitis", "pneumonia")),
        ("what's worse for your heart, salt or sugar", ("salt", "sugar")),
        ("how do i know if its a yeast infection or just thrush", ("yeast infection", "thrush")),
        ("is it the flu or covid", ("the flu", "covid")),
        ("is it safe or dangerous", None),
        ("what is the difference in hyperthyroid and hypothyroid", ("hyperthyroid", "hypothyroid")),
        ("can you tell me how ALS is different from MS", ("ALS", "MS")),
        ("is hiv the same as aids or whats the difference", ("hiv", "aids")),
        ("macular degeneration wet vs dry", ("macular degeneration wet", "macular degeneration dry")),
    ],
)
def test_a_comparison_has_two_sides(question: str, sides: tuple[str, str] | None) -> None:
    found = compared(question)
    assert (found is None) == (sides is None)
    assert found is None or sides is None or all(a in b for a, b in zip(found, sides, strict=True))
