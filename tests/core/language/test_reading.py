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
