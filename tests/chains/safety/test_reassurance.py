import pytest

from chains.safety.reassurance import asks_of_outlook, reassures


@pytest.mark.parametrize(
    "text",
    [
        "Not all headaches require a doctor's attention.",
        "Most cases of viral croup are mild and can be treated at home.",
        "The baby blues most often go away within a few days or a week.",
        "Many people with a mild case do not need treatment.",
        "Chest pain is often harmless.",
        "Palpitations are usually not serious.",
        "Febrile seizures are rarely dangerous.",
    ],
)
def test_what_says_that_it_passes_or_needs_no_care_reassures(text: str) -> None:
    assert reassures(text)


@pytest.mark.parametrize(
    "text",
    [
        "Croup can become serious and interfere with your child's breathing.",
        "Let your health care provider know if you have sudden, severe headaches.",
        "If someone is having a serious allergic reaction, call 911.",
        "Malaria symptoms include chills, flu-like symptoms, fever, vomiting, diarrhea, and jaundice.",
        "Most strokes are caused by a blood clot. You need to get to the hospital quickly.",
        "If it does not go away, see a doctor.",
        "Most people with anaphylaxis need emergency care.",
        "Appendicitis rarely goes away on its own.",
        "Meningitis usually does not get better without treatment.",
        "Rarely, croup can become serious.",
    ],
)
def test_what_warns_or_tells_does_not(text: str) -> None:
    assert not reassures(text)


def test_who_asks_how_it_goes_on_may_be_told_that_it_passes() -> None:
    assert asks_of_outlook("It says bells palsy. does it go away??")
    assert asks_of_outlook("How long til my face is normal again?")
    assert not asks_of_outlook("How serious is it?")
