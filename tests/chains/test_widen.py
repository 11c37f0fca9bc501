from __future__ import annotations

import pytest

from chains.widen import WidenInput, on_kind, widened
from core.schema import Concept, Evidence, Mention

KINDS = {"Zorblaxin": ["antibiotics"], "Quellamol": ["pain relievers", "blood thinners"], "quellan fever": []}


def asked(question: str, aspect: str = "") -> WidenInput:
    found = [(name, question.find(name)) for name in KINDS if name in question]
    mentions = (
        Mention(concept=Concept(id=name, name=name), start=at, end=at + len(name), text=name) for name, at in found
    )
    return WidenInput(question, tuple(mentions), aspect)


def kinds(concept: Concept) -> list[str]:
    return KINDS[concept.id]


@pytest.mark.parametrize(
    ("question", "wider"),
    [
        ("How long till Zorblaxin kicks in?", "How long till antibiotics kicks in?"),
        ("Does the Zorblaxin pill help with quellan fever?", "Does antibiotics help with quellan fever?"),
        ("Quellamol and sleep?", "Pain relievers and sleep?"),
    ],
)
def test_a_medicine_s_kind_takes_its_place_with_its_article(question: str, wider: str) -> None:
    found = widened(asked(question), kinds)
    assert found
    assert found.question == wider


@pytest.mark.parametrize(
    "question",
    [
        "Is Zorblaxin better than Quellamol?",
        "Can I take 400 mg of Zorblaxin?",
        "Is there a generic of Zorblaxin?",
        "Could I get Zorblaxin instead?",
        "Is that Zorblaxin?",
        "Can I drink wine with Zorblaxin?",
        "Is Zorblaxin safe when pregnant?",
        "Is Zorblaxin an antibiotic?",
        "Is quellan fever contagious?",
    ],
)
def test_what_holds_for_one_medicine_alone_or_for_none_is_not_asked_of_others(question: str) -> None:
    assert widened(asked(question), kinds) is None


def test_only_what_is_written_of_the_whole_kind_counts() -> None:
    titles = ("Antibiotics: What are they?", "Antibiotic Resistance", "Pertussis", "Anabolic Antibiotics")
    found = on_kind([Evidence(id=t, text="Text.", title=t, source="library") for t in titles], "antibiotics")
    assert [e.title for e in found] == list(titles[:2])


@pytest.mark.parametrize("aspect", ["names", "class"])
def test_the_names_and_the_class_of_a_medicine_are_its_own(aspect: str) -> None:
    assert widened(asked("What else is Zorblaxin called?", aspect), kinds) is None


def test_whether_something_is_a_symptom_is_asked_as_what_the_symptoms_are() -> None:
    given = WidenInput("Is itching a quellan fever symptom?", (), "relation", "quellan fever")
    found = widened(given, kinds)
    assert found
    assert found.question == "What are the symptoms of quellan fever?"
    evidence = [Evidence(id="1", text="Text.", title="Quellan Fever", source="library")]
    assert list(on_kind(evidence, found.kind)) == evidence
    assert widened(given._replace(question="Does itching lead to quellan fever?"), kinds) is None
