from __future__ import annotations

from collections.abc import Sequence

from chains.expand import LONGEST, ExpandInput, expander, expansions, searched
from chains.refine import RefineInput, refinements
from chains.understand import understand
from chains.understanding import Understanding
from core.schema import Claim, Concept, Mention, Verdict

MI = Concept(id="C0027051", name="Myocardial infarction")
NAMES = {MI.id: ("Myocardial infarction", "Heart attack", "Cardiac infarction", "heart attacks")}


def names(concept: Concept) -> Sequence[str]:
    return NAMES[concept.id]


def no_kinds(_: Concept) -> Sequence[str]:
    return ()


def asked(text: str) -> Understanding:
    start = text.lower().index("heart attack")
    mention = Mention(concept=MI, start=start, end=start + 12, text=text[start : start + 12])
    return understand(text, lambda _: (mention,))


def test_a_concept_is_called_by_its_other_names_and_nothing_is_asked_twice() -> None:
    question = asked("What are the symptoms of a heart attack?")
    assert expansions(question, (), names, 5) == (
        "What are the symptoms of a Myocardial infarction?",
        "What are the symptoms of a Cardiac infarction?",
    )


def test_the_limit_holds_and_zero_switches_expansion_off() -> None:
    question = asked("What are the symptoms of a heart attack?")
    assert len(expansions(question, (), names, 1)) == 1
    assert expansions(question, ("aspirin", "morphine"), names, 0) == ()


def test_every_option_of_a_choice_takes_part() -> None:
    question = asked("What is the first treatment of a heart attack?")
    queries = expander(names, 1).invoke(ExpandInput(question, ("aspirin", "warfarin"))).value
    assert [option for option in ("aspirin", "warfarin") if any(option in q for q in queries)] == [
        "aspirin",
        "warfarin",
    ]


def test_refining_asks_only_what_was_not_asked_and_uses_weak_claims() -> None:
    question = asked("What are the symptoms of a heart attack?")
    claim = Claim(text="Sweating is common.", span=(0, 19))
    weak = Verdict(claim=claim, label="unverifiable", p_supported=0.1, p_contradicted=0.0, risk=0.9)
    first = refinements(RefineInput(question, (weak,), (question.text,)), names, no_kinds, 20)
    assert first[:2] == ("heart attack Sweating is common.", "heart attack Sweating is rare.")
    assert any("Cardiac infarction" in query for query in first)
    assert refinements(RefineInput(question, (weak,), (question.text, *first)), names, no_kinds, 20) == ()


def test_what_the_subject_is_a_kind_of_is_searched_last() -> None:
    question = asked("What are the symptoms of a heart attack?")
    assert question.subject_concepts == (MI,)
    found = refinements(RefineInput(question, (), (question.text,)), names, lambda _: ("Ischemia", "Infarction"), 20)
    assert [query for query in found[-2:]] == ["Ischemia symptoms", "Infarction symptoms"]


def test_of_a_letter_that_is_no_query_the_end_is_searched() -> None:
    text = f"{'I walked to the shop today. ' * 20}Then my chest hurt. Was that a heart attack?"
    (end,) = searched(asked(text))
    assert text.endswith(end)
    assert LONGEST - 10 < len(end) <= LONGEST
