from __future__ import annotations

import pytest

from core.language import Statement, read


def told(text: str, title: str = "") -> set[tuple[str, str, str, bool, str, str]]:
    """Each statement as kind, subject, object, whether denied, modality and attribution."""
    return {_short(each) for each in read(text, title).statements}


def _short(given: Statement) -> tuple[str, str, str, bool, str, str]:
    subject = given.subject
    named = [("lack of " if p.absent else "") + " ".join(p.lemmas) if p else "" for p in (subject, given.object)]
    return (given.kind, named[0], named[1], given.negated, given.modality, given.attribution)


@pytest.mark.parametrize(
    ("text", "kind", "subject", "object_"),
    [
        ("Smoking causes lung cancer.", "cause", "smoking", "lung cancer"),
        ("Scurvy is caused by a lack of vitamin C.", "cause", "lack of vitamin c", "scurvy"),
        ("Vitamin C deficiency causes scurvy.", "cause", "lack of vitamin c", "scurvy"),
        ("metformin lowers glucose.", "lower", "metformin", "glucose"),
        ("Smoking is a major cause of lung cancer.", "cause", "smoking", "lung cancer"),
        ("Fatigue due to anemia is common.", "cause", "anemia", "fatigue"),
        ("Metformin is used to treat gout.", "treat", "metformin", "gout"),
        ("Aspirin helps with pain and fever.", "treat", "aspirin", "fever"),
        ("To prevent malaria, take chloroquine.", "prevent", "chloroquine", "malaria"),
        ("The best way to prevent lung cancer is to not smoke.", "prevent", "lack of smoke", "lung cancer"),
        ("Statins, which lower cholesterol, reduce the risk of stroke.", "lower", "statin", "cholesterol"),
        ("Exercise improves mood, reducing the risk of depression.", "lower", "exercise", "risk depression"),
        ("Malaria is spread by mosquitoes.", "spread", "malaria", "mosquito"),
        ("People catch hepatitis from dirty water.", "spread", "hepatitis", "dirty water"),
        ("Obesity is a risk factor for colon cancer.", "raise", "obesity", "risk colon cancer"),
        ("Lisinopril, an ACE inhibitor, is a treatment for hypertension.", "treat", "lisinopril", "hypertension"),
    ],
)
def test_a_relation_is_read_in_its_own_direction(text: str, kind: str, subject: str, object_: str) -> None:
    assert (kind, subject, object_, False, "asserted", "stated") in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is little evidence that homeopathy cures asthma.",
        "Homeopathy does not cure asthma.",
        "Homeopathy has not been shown to cure asthma.",
        "Homeopathy failed to cure asthma.",
        "It is a myth that homeopathy cures asthma.",
        "It was once thought that homeopathy cures asthma.",
        "We investigated whether homeopathy cures asthma.",
        "Does homeopathy cure asthma?",
        "Homeopathy may cure asthma.",
    ],
)
def test_what_is_denied_doubted_or_asked_is_not_asserted(text: str) -> None:
    found = [each for each in told(text) if each[0] == "treat"]
    assert found
    assert ("treat", "homeopathy", "asthma", False, "asserted", "stated") not in found


def test_what_a_later_sentence_rejects_is_refuted() -> None:
    text = "Some psychiatrists said that autism was caused by cold mothers. Many large studies have rejected this idea."
    reading = read(text)
    assert [each.takes_back for each in reading.sentences] == [False, True]
    assert [each.attribution for each in reading.statements if each.kind == "cause"] == ["refuted"]


def test_a_pronoun_is_what_was_named_before_it_or_in_the_title() -> None:
    assert ("treat", "aspirin", "pain", False, "asserted", "stated") in told("Aspirin is a drug. It relieves pain.")
    assert ("cause", "cystic fibrosis", "mucus", False, "asserted", "stated") in told(
        "This disease causes mucus.", "Cystic fibrosis"
    )


def test_items_of_a_list_belong_to_the_line_that_introduces_them() -> None:
    assert ("have", "symptom", "cough", False, "asserted", "stated") in told("Symptoms include:\n- fever\n- cough")


def test_scope_and_quantities_are_told() -> None:
    (found,) = read("Metformin lowers glucose in mice at 50 mg/kg.").statements
    assert [(each.kind, each.phrase.text) for each in found.scopes] == [("species", "mice")]
    assert [(each.low, each.high, each.unit) for each in found.quantities] == [(50.0, 50.0, "mg/kg")]


def test_words_of_a_note_are_denied_or_a_relative_s() -> None:
    words = {word.text: word for word in read("Mother had cancer; denies fever but has cough.").sentences[0].words}
    assert words["cancer"].family
    assert not words["cancer"].negated
    assert words["fever"].negated
    assert not words["cough"].negated


def test_a_clause_that_says_which_of_a_subject_is_meant_asserts_it_of_none() -> None:
    modes = {t[4] for t in told("Blood pressure that is too low can cause problems.") if t[0] == "be"}
    assert modes == {"hypothetical"}, "else a pressure of 145/92 would not be high, since it says low"
    assert {t[4] for t in told("The gene, which is dominant, causes gout.") if t[0] == "be"} == {"asserted"}
    assert {t[4] for t in told("Gout is a disease that is painful.") if t[0] == "be"} == {"asserted"}


def test_another_language_is_split_and_states_nothing() -> None:
    reading = read("La gotta è causata dall'acido urico. Il dolore è molto forte.")
    assert len(reading.sentences) == 2
    assert reading.statements == ()


@pytest.mark.parametrize("text", ["", " \n ", "gout", "1 2 3", "x[i] = y[i] * 2;", "a\x00b causes c.", "?", "🖐🏽"])
def test_any_text_is_read(text: str) -> None:
    assert read(text).text == text


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Researchers have not found a way to prevent dementia.", True),
        ("No one has found a way to prevent dementia.", True),
        ("Researchers have found no way to prevent dementia.", True),
        ("We do not have a vaccine to prevent dementia.", True),
        ("Researchers have found a way to prevent dementia.", False),
    ],
)
def test_what_is_not_had_does_nothing(text: str, denied: bool) -> None:
    assert [each[3] for each in told(text) if each[0] == "prevent"] == [denied]
