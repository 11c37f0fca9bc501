from __future__ import annotations

from types import SimpleNamespace

import pytest

from chains.answer.choice import answer_choice
from core.embeddings import MiniLM
from core.errors import InputError
from core.rarity import wordpiece_rarity
from core.schema import Draft, Evidence, Question

GENES = "Marfan syndrome is caused by mutations of FBN1. Cystic fibrosis is caused by mutations of CFTR."


def choose(embedder: MiniLM, question: str, options: dict[str, str], *texts: str) -> Draft:
    evidence = [Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts, start=1)]
    understanding = SimpleNamespace(text=question, subject="", object="")
    rarity = wordpiece_rarity(embedder.vocabulary())
    asked = Question(question=question, options=options)
    return answer_choice(asked, understanding, evidence, encode=embedder.encode, rarity=rarity)


def test_the_option_that_meets_the_question_in_one_place_wins(embedder: MiniLM) -> None:
    options = {"A": "COL1A1", "B": "FBN1", "C": "CFTR"}
    draft = choose(embedder, "Which gene is mutated in Marfan syndrome?", options, GENES)
    assert draft.choice == "B"
    assert draft.text.startswith("B: FBN1\nMarfan syndrome is caused by mutations of FBN1.")
    assert [draft.text[slice(*claim.span)] in GENES for claim in draft.claims] == [True]
    assert draft.citations == ("given:1",)
    assert sum(step.startswith(("A: ", "B: ", "C: ")) for step in draft.reasoning) == 3


def test_a_denied_option_does_not_win(embedder: MiniLM) -> None:
    options = {"A": "aspirin", "B": "heparin"}
    text = "Heparin prevents thrombosis in surgery. There is no aspirin for thrombosis in surgery."
    assert choose(embedder, "Which drug prevents thrombosis in surgery?", options, text).choice == "B"


def test_except_asks_for_the_option_that_does_not_fit(embedder: MiniLM) -> None:
    options = {"A": "tall stature", "B": "ectopia lentis", "C": "polydactyly"}
    text = "Features of Marfan syndrome are tall stature and ectopia lentis."
    draft = choose(embedder, "All are features of Marfan syndrome EXCEPT", options, text)
    assert draft.choice == "C"
    assert text in draft.text


def test_all_of_the_above_needs_all(embedder: MiniLM) -> None:
    options = {"A": "tall stature", "B": "ectopia lentis", "C": "All of the above"}
    text = "Features of Marfan syndrome are tall stature and ectopia lentis."
    assert choose(embedder, "Which is a feature of Marfan syndrome?", options, text).choice == "C"


def test_evidence_that_does_not_tell_them_apart_chooses_nothing(embedder: MiniLM) -> None:
    options = {"A": "aspirin", "B": "heparin"}
    for texts in ((), ("The moon is made of cheese.",)):
        draft = choose(embedder, "Which drug prevents thrombosis?", options, *texts)
        assert (draft.choice, draft.text, draft.claims) == (None, "", ())
        assert "does not tell the options apart" in draft.reasoning[-1]


def test_a_choice_without_options_is_refused(embedder: MiniLM) -> None:
    with pytest.raises(InputError, match="needs options"):
        choose(embedder, "Which?", {})
