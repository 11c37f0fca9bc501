"""Whether passages answer a question: the right disease and the right aspect, however documents are titled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chains.relevance import relevance
from chains.relevance.match import conflict, match, name_of
from chains.understand import understand
from core.schema import Concept, Evidence, Mention
from core.text import stem

_COMMON = {stem(w) for w in ("symptoms", "treatment", "disease", "people", "cause", "body", "called", "known", "type")}


def rarity(term: str) -> float:
    return 0.4 if term in _COMMON else 0.85


MARFAN = (
    "Marfan syndrome is a disorder that affects the connective tissue in many parts of the body. "
    "Signs and symptoms of Marfan syndrome include tall stature, long fingers and a dislocated lens."
)
LOEYS = (
    "Loeys-Dietz syndrome is a disorder that affects the connective tissue in many parts of the body. "
    "Signs and symptoms include an enlarged aorta and a curved spine."
)


def passage(text: str, title: str = "", identifier: str = "repository:c/a#0", about: tuple[str, ...] = ()) -> Evidence:
    return Evidence(id=identifier, text=text, title=title, source="repository", about=about)


def p_answers(question: str, *evidence: Evidence) -> list[float]:
    return [r.p_answers for r in relevance(understand(question), evidence, rarity)]


@pytest.mark.parametrize("title", ["Marfan syndrome", "What are the symptoms of Marfan syndrome ?", ""])
@pytest.mark.parametrize(
    "question", ["What are the symptoms of Marfan syndrome ?", "Which signs does Marfan syndrome have?"]
)
def test_the_right_disease_answers(title: str, question: str) -> None:
    assert p_answers(question, passage(MARFAN, title))[0] >= 0.5


@pytest.mark.parametrize("title", ["Loeys-Dietz syndrome", "What are the symptoms of Loeys-Dietz syndrome ?", ""])
def test_a_true_sentence_about_another_disease_does_not(title: str) -> None:
    assert p_answers("What are the symptoms of Marfan syndrome ?", passage(LOEYS, title))[0] < 0.5


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Childhood Hodgkin Lymphoma", "Adult Hodgkin Lymphoma"),
        ("Usher syndrome type 1", "Usher syndrome type 2"),
        ("Childhood Hodgkin Lymphoma", "Childhood Non-Hodgkin Lymphoma"),
        ("Acute Lymphoblastic Leukemia", "Chronic Lymphocytic Leukemia"),
    ],
)
def test_siblings_are_told_apart(asked: str, told: str) -> None:
    text = f"{told} is a disease. Signs and symptoms include fever and weakness."
    assert p_answers(f"What are the symptoms of {asked} ?", passage(text, told))[0] < 0.5


def test_the_aspect_orders_passages_of_one_disease() -> None:
    symptoms = passage("The signs and symptoms of gout include pain and swelling.", "Gout", "repository:c/s#0")
    treatment = passage(
        "Treatment of gout: therapy with drugs such as colchicine manages it.", "Gout", "repository:c/t#0"
    )
    first, second = p_answers("What are the treatments for Gout ?", treatment, symptoms)
    assert first > second


def test_a_title_that_announces_another_aspect_does_not_answer() -> None:
    told = passage("The inheritance recorded for Marfan syndrome is dominant.", "Marfan syndrome: inheritance")
    assert p_answers("How is Marfan syndrome treated?", told)[0] < 0.5


def test_a_later_passage_is_judged_with_its_document() -> None:
    later = passage("Treatment includes surgery, therapy and drugs that manage pain.", "", "repository:c/a#1")
    alone = p_answers("What are the treatments for Marfan syndrome ?", later)[0]
    opening = passage(MARFAN, "", "repository:c/a#0")
    assert p_answers("What are the treatments for Marfan syndrome ?", later, opening)[0] > alone


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        (
            "What are the features of Marfan syndrome?",
            "Marfan syndrome: features",
            "Features of Marfan syndrome: tall stature.",
        ),
        (
            "What is arachnodactyly?",
            "Arachnodactyly: definition",
            "Arachnodactyly: Abnormally long and slender fingers.",
        ),
        (
            "Which diseases show arachnodactyly?",
            "Arachnodactyly: diseases",
            "Arachnodactyly occurs in Marfan syndrome.",
        ),
        (
            "Does ectopia lentis belong to Marfan syndrome?",
            "Marfan syndrome: ectopia lentis",
            "Ectopia lentis is a feature of Marfan syndrome.",
        ),
        (
            "Do preoperative statins reduce atrial fibrillation?",
            "Statins before surgery",
            "Patients given preoperative statins had less atrial fibrillation; statins reduce its risk.",
        ),
    ],
)
def test_ordinary_questions_get_through(question: str, title: str, text: str) -> None:
    assert p_answers(question, passage(text, title, "knowledge:X#y"))[0] >= 0.5


def test_the_same_concept_is_the_same_subject_whatever_its_words() -> None:
    concept = Concept(id="C0024796", name="Marfan syndrome")

    def link(text: str) -> Sequence[Mention]:
        return [Mention(concept=concept, start=12, end=20, text=text[12:20])]

    understood = understand("What causes MFS type?", link)
    understood = understood.model_copy(update={"subject": "MFS", "subject_concepts": (concept,), "sure": True})
    told = passage("Mutations in FBN1 cause it.", "Marfan's disease", about=("C0024796",))
    assert relevance(understood, [told], rarity)[0].p_subject >= 0.9


def test_a_question_about_nothing_is_not_answered() -> None:
    assert p_answers("Is it inherited?", passage("It is inherited in families.", "Gout"))[0] < 0.5


def test_nothing_retrieved_is_nothing_weighed() -> None:
    assert relevance(understand("What is gout?"), [], rarity) == []


def test_match_tells_near_from_apart() -> None:
    name = name_of("retinal artery occlusion", rarity)
    assert name is not None
    near = match(name, ["sudden", "retin", "arteri", "occlus"], rarity)
    apart = match(name, ["retin", "a", "b", "c", "d", "arteri", "e", "f", "g", "h", "occlus"], rarity)
    assert near.cover == apart.cover == 1.0
    assert near.near == 1.0 > apart.near


@pytest.mark.parametrize(("told", "expected"), [("diabetes type 2", 1.0), ("diabetes", 0.5), ("type 1 diabetes", 0.0)])
def test_conflict_of_numbers(told: str, expected: float) -> None:
    asked, other = name_of("diabetes type 1", rarity), name_of(told, rarity)
    assert asked is not None
    assert other is not None
    assert conflict(asked, other.stems) == expected
