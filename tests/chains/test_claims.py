from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.claims import ClaimInput, claim_splitter, split_claims
from core.schema import Concept, Mention


def texts(text: str) -> list[str]:
    return [claim.text for claim in split_claims(text)]


def test_each_sentence_is_a_claim_with_its_exact_place() -> None:
    text = "Aspirin thins blood.  It may cause ulcers (e.g. in the stomach)."
    claims = split_claims(text)
    assert [text[slice(*claim.span)] for claim in claims] == [
        "Aspirin thins blood.",
        "It may cause ulcers (e.g. in the stomach).",
    ]
    assert [claim.hedged for claim in claims] == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Aspirin reduces fever but ibuprofen does not reduce risk.",
            ["Aspirin reduces fever", "ibuprofen does not reduce risk."],
        ),
        ("The eyes are affected, and the aorta may dilate.", ["The eyes are affected", "the aorta may dilate."]),
        ("It affects the heart and causes pain.", ["It affects the heart and causes pain."]),
        ("Patients with fever and cough are at risk.", ["Patients with fever and cough are at risk."]),
        ("If A is high and B is low, treat.", ["If A is high and B is low, treat."]),
    ],
)
def test_clauses_part_only_where_both_are_full_statements(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_items_of_a_list_carry_its_head() -> None:
    text = "Symptoms include:\n- fever\n- dry cough [1]\n\nRest helps."
    claims = split_claims(text, ["given:1"])
    assert [claim.text for claim in claims] == ["Symptoms include fever", "Symptoms include dry cough", "Rest helps."]
    assert text[slice(*claims[1].span)] == "dry cough [1]"
    assert claims[1].cited == ("given:1",)
    assert texts("Symptoms include: - fever - dry cough") == ["Symptoms include fever", "Symptoms include dry cough"]


def test_questions_headings_and_marks_claim_nothing() -> None:
    assert texts("# Marfan syndrome\n\nTreatment\nIs it rare?\n\n[1]\n[2]") == []


def test_marks_are_citations_and_no_part_of_the_claim() -> None:
    claims = split_claims("Aspirin thins blood. [1,2] It relieves pain [pubmed:12]. It is old [9].", ["a", "b"])
    assert [(claim.text, claim.cited) for claim in claims] == [
        ("Aspirin thins blood.", ("a", "b")),
        ("It relieves pain.", ("pubmed:12",)),
        ("It is old.", ()),
    ]


def test_a_claim_tells_subject_predicate_object_and_negation() -> None:
    claim = split_claims("Aspirin does not reduce the risk of dementia.")[0]
    assert (claim.subject, claim.predicate, claim.object) == ("Aspirin", "does not reduce", "the risk of dementia")
    assert claim.negated
    assert split_claims("Nothing of note.")[0].predicate is None


def test_linked_concepts_are_subject_and_object() -> None:
    def link(text: str) -> list[Mention]:
        found = []
        for name in ("Marfan syndrome", "ectopia lentis"):
            at = text.find(name)
            found.append(Mention(concept=Concept(id=name, name=name.title()), start=at, end=at + len(name), text=name))
        return found

    claim = split_claims("In the eyes, Marfan syndrome includes severe ectopia lentis.", link=link)[0]
    assert (claim.subject, claim.object) == ("Marfan Syndrome", "Ectopia Lentis")


async def test_the_chain_splits() -> None:
    outcome = await claim_splitter().ainvoke(ClaimInput("Aspirin thins blood [1].", ("given:1",)))
    assert outcome.value[0].cited == ("given:1",)


@given(st.text(alphabet=st.sampled_from("aZ1 .,;:?!-*#[]\n’é"), max_size=80))
def test_any_text_gives_claims_in_order_that_do_not_overlap(text: str) -> None:
    end = 0
    for claim in split_claims(text):
        assert end <= claim.span[0] < claim.span[1] <= len(text)
        end = claim.span[1]
