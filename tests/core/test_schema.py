from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.schema import (
    MAX_EVIDENCE_CHARS,
    MAX_QUESTION_CHARS,
    Claim,
    Concept,
    Evidence,
    Failure,
    Outcome,
    Question,
    Quote,
    Triple,
    Usage,
    Verdict,
    VerifiedAnswer,
)

MARFAN = Concept(id="HP:0001166", name="Arachnodactyly")


def verdict(**changes: Any) -> Verdict:
    claim = Claim(text="Fingers are long.", span=(0, 17), cited=("given:1",))
    fields = {"claim": claim, "label": "supported", "p_supported": 0.9, "p_contradicted": 0.0, "risk": 0.1}
    return Verdict(**{**fields, **changes})


def answer() -> VerifiedAnswer:
    return VerifiedAnswer(
        id="q1",
        question="What is arachnodactyly?",
        text="Fingers are long.",
        verdicts=(
            verdict(quotes=(Quote(evidence_id="given:1", text="long"),), signals={"containment": 0.5, "nli": None}),
        ),
        evidence=(Evidence(id="given:1", text="Fingers are long; “slender”.", source="given", about=("HP:0001166",)),),
        citations=("given:1",),
        risk=0.1,
        failures=(Failure(source="pubmed", error="timeout"),),
        engine="evidence-only",
        usage=Usage(model_calls=1),
    )


def test_an_answer_survives_json() -> None:
    assert VerifiedAnswer.model_validate_json(answer().model_dump_json()) == answer()
    assert json.loads(answer().model_dump_json())["verdicts"][0]["signals"] == {"containment": 0.5, "nli": None}


@given(st.text(st.characters(codec="utf-8")), st.floats(0, 1), st.floats(allow_nan=False, allow_infinity=False))
def test_whatever_it_says_a_verdict_survives_json(text: str, risk: float, signal: float) -> None:
    one = verdict(why=text, risk=risk, signals={text: signal})
    assert Verdict.model_validate_json(one.model_dump_json()) == one


def test_values_are_frozen() -> None:
    outcome: Outcome[int] = Outcome(value=1)
    with pytest.raises(ValidationError, match="frozen"):
        answer().text = "other"  # type: ignore[misc]  # that it is refused is the point
    with pytest.raises(ValidationError, match="frozen"):
        outcome.value = 2  # type: ignore[misc]


def test_a_field_that_is_not_known_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match=r"confidence\n  Extra inputs are not permitted"):
        verdict(confidence=1)
    with pytest.raises(ValidationError, match=r"settings\.model\n  Extra inputs are not permitted"):
        Question.model_validate({"question": "Why?", "settings": {"model": "openai:gpt"}})


@pytest.mark.parametrize("risk", [-0.01, 1.01, float("nan"), float("inf"), None])
def test_a_risk_is_a_probability(risk: float | None) -> None:
    with pytest.raises(ValidationError):
        verdict(risk=risk)


@pytest.mark.parametrize("label", ["true", "", None, "Supported"])
def test_a_label_is_one_of_three(label: str | None) -> None:
    with pytest.raises(ValidationError, match="label"):
        verdict(label=label)


def test_a_triple_prints_as_the_prompts_show_it() -> None:
    triple = Triple(head=Concept(id="OMIM:154700", name="Marfan"), relation="has", tail=MARFAN, vocabulary="HPO")
    assert str(triple) == "[Marfan, has, Arachnodactyly]"


def test_usage_adds_up() -> None:
    total = Usage(model_calls=1, input_tokens=10) + Usage(model_calls=2, output_tokens=5)
    assert total == Usage(model_calls=3, input_tokens=10, output_tokens=5)


@pytest.mark.parametrize("text", ["", "  \n", "?!", "\x00\x07", "\u200b"])
def test_a_question_without_words_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="the question is empty: ask one in words"):
        Question(question=text)


def test_control_characters_are_left_out_of_a_question() -> None:
    assert Question(question="\ufeff  What\x00 is\x1b[1m it?\n\tReally?\x7f ").question == "What is[1m it?\n\tReally?"


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u202f", "\u3000", "\r", "\u2028", "\x0b"])
def test_every_kind_of_space_parts_words(space: str) -> None:
    assert Question(question=f"Is 5{space}mg safe?").question.split() == ["Is", "5", "mg", "safe?"]


def test_a_question_too_long_is_told_the_limit_and_the_way_out() -> None:
    assert Question(question="a" * MAX_QUESTION_CHARS)
    with pytest.raises(ValidationError, match=r"has 100,000 characters, the limit is 20,000: .*--evidence"):
        Question(question="a" * 100_000)


def test_one_option_is_no_choice() -> None:
    with pytest.raises(ValidationError, match="one option is no choice"):
        Question(question="Which?", options={"A": "aspirin"})


@pytest.mark.parametrize("options", [{"A": "aspirin", "B": " "}, {"A": "aspirin", "": "none"}])
def test_an_empty_option_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match=r"option '.*' is empty: give it as LETTER=TEXT"):
        Question(question="Which?", options=options)


def test_a_choice_needs_options() -> None:
    with pytest.raises(ValidationError, match="a choice needs options"):
        Question(question="Which?", task="choice")
    assert Question(question="Which?", task="choice", options={"A": "aspirin", "B": "rest"}).options["B"] == "rest"


@pytest.mark.parametrize(
    "fields",
    [{"max_words": 0}, {"task": "essay"}, {"settings": {"rounds": 11}}, {"settings": {"sources": ["the web"]}}],
)
def test_bounds_of_a_question(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Question.model_validate({"question": "Why?", **fields})


def test_the_key_is_the_given_id() -> None:
    assert Question(id="mine", question="Why?").key == "mine"


def test_the_key_is_the_same_whenever_the_same_is_asked() -> None:
    asked = {"question": "Which?", "options": {"A": "aspirin", "B": "rest"}, "evidence": ["a text"]}
    keys = {Question.model_validate(asked).key, Question.model_validate_json(json.dumps(asked)).key}
    assert keys == {Question.model_validate({**asked, "question": " Which?\n"}).key}
    assert len(keys.pop()) == 16


@pytest.mark.parametrize(
    "change",
    [{"question": "Why?"}, {"options": {"A": "b", "B": "c"}}, {"evidence": ["x"]}, {"settings": {"rounds": 0}}],
)
def test_the_key_differs_when_anything_else_is_asked(change: dict[str, Any]) -> None:
    assert Question.model_validate({"question": "Which?", **change}).key != Question(question="Which?").key


@pytest.mark.parametrize("field", [{"evidence": ["\ud800"]}, {"options": {"A": "\ud800", "B": "x"}}])
def test_text_that_cannot_be_written_is_refused_at_the_door(field: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Question.model_validate({"question": "Which?", **field})


def test_evidence_is_bounded_as_a_whole() -> None:
    most = MAX_EVIDENCE_CHARS // 7
    assert len(Question(question="Gout?", evidence=("a" * most,) * 7).evidence) == 7
    with pytest.raises(ValidationError, match="all together"):
        Question(question="Gout?", evidence=("a" * (most + 1),) * 8)
