from __future__ import annotations

from types import SimpleNamespace

import pytest

from chains.answer.yesno import answer_yesno, statement_of
from core.embeddings import MiniLM
from core.rarity import wordpiece_rarity
from core.schema import Draft, Evidence, Question

PRESENT = "Ectopia lentis is a frequent feature of Marfan syndrome."
ABSENT = "Ectopia lentis is recorded as not present in Loeys-Dietz syndrome, according to OMIM."


def ask(embedder: MiniLM, question: str, *texts: str, subject: str = "", related: str = "") -> Draft:
    evidence = [Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts, start=1)]
    understanding = SimpleNamespace(text=question, subject=subject, object=related)
    rarity = wordpiece_rarity(embedder.vocabulary())
    return answer_yesno(Question(question=question), understanding, evidence, encode=embedder.encode, rarity=rarity)


@pytest.mark.parametrize(
    ("question", "text", "choice"),
    [
        ("Does ectopia lentis belong to Marfan syndrome?", PRESENT, "yes"),
        ("Does ectopia lentis belong to Loeys-Dietz syndrome?", ABSENT, "no"),
        ("Does aspirin prevent dementia?", "Aspirin did not prevent dementia in older adults.", "no"),
        ("Does aspirin lower blood pressure?", "Blood pressure was similar with aspirin and placebo.", "no"),
        ("Does aspirin prevent dementia?", "Whether aspirin prevents dementia remains unclear.", "maybe"),
    ],
)
def test_the_evidence_decides_and_is_quoted(embedder: MiniLM, question: str, text: str, choice: str) -> None:
    draft = ask(embedder, question, text)
    assert draft.choice == choice
    assert draft.text == f"{choice.capitalize()}. {text}"
    assert [draft.text[slice(*claim.span)] for claim in draft.claims] == [text]
    assert draft.citations == ("given:1",)


def test_evidence_on_something_else_decides_nothing(embedder: MiniLM) -> None:
    question = "Does cough belong to Marfan syndrome?"
    draft = ask(embedder, question, PRESENT, subject="cough", related="Marfan syndrome")
    assert (draft.choice, draft.text, draft.claims) == (None, "", ())
    assert draft.reasoning[-1] == "No evidence is on this"
    assert ask(embedder, question).choice is None


def test_a_question_becomes_what_a_yes_would_state() -> None:
    assert statement_of("Is there  a cure for colds?") == "A cure for colds"
    assert statement_of("Double balloon enteroscopy: is it safe?") == "Double balloon enteroscopy safe"
