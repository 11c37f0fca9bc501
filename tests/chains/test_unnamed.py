"""Questions of something that they do not name."""

import pytest

from chains.unnamed import names_nothing


def test_what_something_is_asked_for_names_something() -> None:
    assert not names_nothing("Is there anything I could take for the phlegm", "", named=False)
    assert names_nothing("is there anything for it", "", named=False)
    assert names_nothing("are there any side effects I should know about?", "", named=False)
    assert not names_nothing("are there any side effects of prednisone?", "prednisone", named=True)
    assert names_nothing("How long is this contagious?", "contagious", named=False)
    assert names_nothing("Will this help with pain?", "pain", named=True)
    assert not names_nothing("How long is this flu contagious?", "flu", named=True)
    assert not names_nothing("baby has yellow skin 3 days after birth is this normal", "yellow skin", named=True)
    assert not names_nothing("I have gout. Will this help with pain?", "gout", named=True)


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("Ok and an antibiotic?", True),
        ("So an antibiotic would not help?", True),
        ("Will eye drops work?", True),
        ("should the cream help with this", True),
        ("Do I need antibiotics?", True),
        ("What are some over the counter medication I could take instead?", True),
        ("Do you believe this will resolve without medication/ antibiotics?", True),
        ("Do I need antibiotics for strep throat?", False),
        ("Will strep throat go away without antibiotics?", False),
        ("What are some over the counter medicines for hay fever?", False),
        ("Do antibiotics work on viruses?", False),
        ("Will eye drops help pink eye?", False),
        ("What is an antibiotic?", False),
        ("antibiotics", False),
        ("Are there shots for the flu?", False),
    ],
)
def test_whether_a_remedy_helps_against_nothing_names_nothing(text: str, *, nothing: bool) -> None:
    assert names_nothing(text, "remedy", named=True) == nothing


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("Could the medication have caused that?", True),
        ("ok so can stress be causing this", True),
        ("is amoxicillin responsible for these?", True),
        ("Can stress cause this rash?", False),
        ("my knee hurts, could gout cause this?", False),
        ("I have a rash. Could amoxicillin have caused that?", False),
        ("Could gout have caused it?", False),
    ],
)
def test_what_only_the_asker_sees_as_an_effect_is_nothing_named(text: str, *, nothing: bool) -> None:
    assert names_nothing(text, "amoxicillin", named=True) == nothing
