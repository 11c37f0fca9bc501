from __future__ import annotations

import pytest

from chains.parts import asking, compared
from chains.understand import understand
from core.schema import Concept, Mention


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is gout?", ("What is gout?",)),
        (
            "what is rosacea and can it be cured",
            ("what is rosacea", "can it be cured"),
        ),
        ("My knee was hurt on Monday. What can I do about it?", ("What can I do about it?",)),
        ("lipitor - how do statins work", ("lipitor - how do statins work",)),
        ("gout diet", ("gout diet",)),
        ("i was told it is gout lol. how did i get it", ("how did i get it",)),
    ],
)
def test_a_text_asks_its_questions(text: str, questions: tuple[str, ...]) -> None:
    assert asking(text).questions == questions


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("difference between a sprain and a strain", ("a sprain", "a strain")),
        ("rheumatoid arthritis vs osteoarthritis", ("rheumatoid arthritis", "osteoarthritis")),
        ("cold or flu, how to tell", ("cold", "flu")),
        ("is Tylenol the same thing as Advil?", ("Tylenol", "Advil")),
        ("is sinusitis different from a cold?", ("sinusitis", "a cold")),
        ("Are shingles and chickenpox the same thing?", ("shingles", "chickenpox")),
        ("is gout or sugar bad for me", None),
    ],
)
def test_a_comparison_has_two_sides(question: str, sides: tuple[str, str] | None) -> None:
    found = compared(question)
    assert (found is None) == (sides is None)
    assert found is None or sides is None or all(a in b for a, b in zip(found, sides, strict=True))


def test_each_question_stands_alone() -> None:
    def link(text: str) -> list[Mention]:
        start = text.find("gout")
        concept = Concept(id="C1", name="Gout", group="DISO")
        return [Mention(concept=concept, start=start, end=start + 4, text="gout")] if start >= 0 else []

    told = understand("My uncle was told he has gout last week. Is it inherited?", link)
    assert [part.text for part in told.questions] == ["Is gout inherited?"]
    double = understand("what is gout and how do they treat it", link)
    assert [part.text for part in double.questions] == ["what is gout", "How do they treat gout?"]


def test_a_plain_question_has_no_parts() -> None:
    assert understand("What are the symptoms of gout?").parts == ()
