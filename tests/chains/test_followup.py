"""Follow-ups become questions that stand alone; what stands alone stays as it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.followup import FollowUp, follow_up, resolve
from chains.understand import understand
from core.schema import Concept, Mention

GROUPS = {
    "asthma": "DISO", "gout": "DISO", "copd": "DISO", "acute hepatitis": "DISO", "hepatitis": "DISO", "lupus": "DISO",
    "type 1 diabetes": "DISO", "diabetes": "DISO", "kidney stones": "DISO", "marfan syndrome": "DISO", "pcos": "DISO",
    "cystic fibrosis": "DISO", "dravet syndrome": "DISO", "kidney disease": "DISO", "headaches": "DISO",
    "rash": "DISO", "lactic acidosis": "DISO", "hernia": "DISO", "ulcers": "DISO", "blood pressure": "PHYS",
    "metformin": "CHEM", "insulin": "CHEM", "ibuprofen": "CHEM", "aspirin": "CHEM", "salbutamol": "CHEM",
    "alcohol": "CHEM", "garlic": "CHEM", "exercise": "PHYS", "heart": "ANAT", "surgery": "OCCU", "vaccines": "CHEM",
    "children": "LIVB", "adults": "LIVB", "elderly": "LIVB", "pregnancy": "PHYS", "treatment": "PROC",
    "pregnant women": "LIVB", "infants": "LIVB", "prognosis": "PROC",
}  # fmt: skip
ASTHMA, METFORMIN = "How is asthma treated?", "What is metformin used for?"
LETTER = "My son was diagnosed with Dravet syndrome two years ago. What are the treatments?"


def link(text: str) -> list[Mention]:
    """The longest known names in a text, as a linker finds them, people and aspects among them."""
    names = "|".join(sorted((re.escape(name) for name in GROUPS), key=len, reverse=True))
    return [
        Mention(
            concept=Concept(id=m.group().lower(), name=m.group(), group=GROUPS[m.group().lower()]),
            start=m.start(),
            end=m.end(),
            text=m.group(),
        )
        for m in re.finditer(rf"\b(?:{names})\b", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize(
    ("before", "question", "resolved"),
    [
        (ASTHMA, "and in children?", "How is asthma treated in children?"),
        (ASTHMA, "And in pregnancy?", "How is asthma treated in pregnancy?"),
        (ASTHMA, "what about pregnant women?", "How is asthma treated in pregnant women?"),
        (ASTHMA, "and if I have kidney disease?", "How is asthma treated if I have kidney disease?"),
        (ASTHMA, "What causes it?", "What causes asthma?"),
        (ASTHMA, "Is it hereditary?", "Is asthma hereditary?"),
        (ASTHMA, "What are the symptoms?", "What are the symptoms of asthma?"),
        (ASTHMA, "Symptoms?", "What are the symptoms of asthma?"),
        (ASTHMA, "And the prognosis?", "What is the prognosis of asthma?"),
        (ASTHMA, "How common is this disease?", "How common is asthma?"),
        (ASTHMA, "Is there a cure?", "Is there a cure for asthma?"),
        (ASTHMA, "Is there a cure for it?", "Is there a cure for asthma?"),
        (ASTHMA, "what about salbutamol?", "What about salbutamol for asthma?"),
        (ASTHMA, "what about COPD?", "How is COPD treated?"),
        (ASTHMA, "How about exercise?", "What about exercise for asthma?"),
        (ASTHMA, "Tell me more", "Tell me more about asthma."),
        (METFORMIN, "What are its side effects?", "What are the side effects of metformin?"),
        (METFORMIN, "And in the elderly?", "What is metformin used for in the elderly?"),
        (METFORMIN, "Is it safe in pregnancy?", "Is metformin safe in pregnancy?"),
        (METFORMIN, "Does it cause lactic acidosis?", "Does metformin cause lactic acidosis?"),
        (METFORMIN, "Can it be taken with alcohol?", "Can metformin be taken with alcohol?"),
        (METFORMIN, "any side effects?", "Any side effects of metformin?"),
        (METFORMIN, "What is the maximum dose?", "What is the maximum dose of metformin?"),
        (METFORMIN, "Its interactions?", "What are the interactions of metformin?"),
        (METFORMIN, "What is its chemical name?", "What is metformin's chemical name?"),
        (METFORMIN, "and PCOS?", "What about metformin for PCOS?"),
        (METFORMIN, "and insulin?", "What is insulin used for?"),
        ("How is type 1 diabetes treated?", "what about type 2?", "How is type 2 diabetes treated?"),
        ("What is diabetes?", "and type 2?", "What is type 2 diabetes?"),
        ("How is acute hepatitis treated?", "And the chronic form?", "How is chronic hepatitis treated?"),
        ("How is asthma treated in children?", "and in adults?", "How is asthma treated in adults?"),
        ("How is asthma treated in children?", "What causes it?", "What causes asthma?"),
        ("Is asthma hereditary?", "Why?", "Why is asthma hereditary?"),
        (LETTER, "Is it inherited?", "Is Dravet syndrome inherited?"),
        (LETTER, "and in adults?", "What are the treatments of Dravet syndrome in adults?"),
        ("What is gout?", "Thanks! Is it inherited?", "Is gout inherited?"),
        ("What is gout?", "Is that dangerous?", "Is gout dangerous?"),
        ("What is gout?", "Are there any tests?", "Are there any tests for gout?"),
        ("What is gout?", "what about yoga?", "What about yoga for gout?"),
        ("What are kidney stones?", "How can I prevent them?", "How can I prevent kidney stones?"),
        ("What are kidney stones?", "What are their causes?", "What are the causes of kidney stones?"),
        ("Marfan syndrome", "life expectancy?", "What is the life expectancy of Marfan syndrome?"),
    ],
)  # fmt: skip
def test_a_follow_up_becomes_a_question_that_stands_alone(before: str, question: str, resolved: str) -> None:
    assert resolve(question, [before], link) == resolved


STANDING = [
    "What are the side effects of ibuprofen?",
    "How is gout treated in children?",
    "And what is gout?",
    "What is gout and how is it treated?",
    "Is it safe to take ibuprofen in pregnancy?",
    "What is it called when the heart beats too fast?",
    "My son has cystic fibrosis. Is it inherited?",
    "I have had a strange rash for two weeks. Is it contagious?",
    "Is it true that garlic lowers blood pressure?",
    "What about the treatment of gout?",
    "What should I eat?",
    "Marfan syndrome",
    "Marfan syndrome?",
    "Does aspirin cause ulcers if they bleed?",
    "How does the heart pump blood?",
    "Can metformin and its metabolites harm the kidney?",
    "Which vaccines are given to infants?",
    "Is surgery needed for hernia?",
    "symptoms of lupus?",
    "lupus symptoms?",
    "Thanks!",
    "Thank you",
    "How many bones does a person have?",
    "What are the symptoms of Fooblitz disease?",
    "Why do people snore?",
    "What does it mean if I cough blood?",
    "  What  is lupus ?  ",
    "Does insulin lower blood pressure in adults?",
    "What time is it?",
    "Is it normal to sneeze in the morning?",
    "Can she have children?",
    "and now?",
    "Is asthma hereditary, and is it curable?",
    "Should children with lupus get vaccines?",
    "Wie wird Asthma behandelt?",
    "Really?",
    "What is the difference between asthma and COPD?",
    "¿Y en los niños?",
    "How often do kidney stones come back?",
    "Is that rash of lupus itchy?",
    "Does the treatment of lupus harm the heart?",
]


@pytest.mark.parametrize("question", STANDING)
def test_what_stands_alone_is_unchanged(question: str) -> None:
    assert resolve(question, [ASTHMA], link) == question


@pytest.mark.parametrize("question", ["and in children?", "What causes it?", "", "   "])
def test_nothing_to_lean_on_leaves_the_question(question: str) -> None:
    assert resolve(question, [], link) == question
    assert resolve(question, ["Thanks!"], link) == question


def test_the_newest_question_with_a_subject_counts() -> None:
    assert resolve("Is it hereditary?", [METFORMIN, "What is gout?"], link) == "Is gout hereditary?"
    assert resolve("Is it hereditary?", ["What is gout?", "Thanks!"], link) == "Is gout hereditary?"


def test_only_the_subject_comes_along() -> None:
    told = "I am 34, live in Oslo and take insulin. My sister has cystic fibrosis. How is it inherited?"
    assert resolve("What are the symptoms?", [told], link) == "What are the symptoms of cystic fibrosis?"


def test_what_is_resolved_is_read_with_the_right_subject() -> None:
    resolved = resolve("What are its side effects?", [METFORMIN], link)
    reading = understand(resolved, link)
    assert (reading.subject, reading.aspect) == ("metformin", "side effects")


def test_the_chain_gives_the_question() -> None:
    assert follow_up(link).invoke(FollowUp("What causes it?", (ASTHMA,))).value == "What causes asthma?"


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=2))
def test_any_text_gives_a_question(question: str, earlier: list[str]) -> None:
    assert resolve(question, earlier, link).strip() or not question.strip()
