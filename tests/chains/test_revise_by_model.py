from __future__ import annotations

import pytest

from chains.claims import split_claims
from chains.revise import ReviseInput, Revision, attested_only
from chains.revise_by_model import joined, model_reviser
from core.schema import Draft, Outcome, Quote, Verdict
from tests.chains.conftest import Playing, shown_to
from tests.emulators.models import down, good

TEXT = "Metformin lowers blood glucose. Metformin does not cause hypoglycaemia. Metformin cures cancer."


def given() -> ReviseInput:
    claims = split_claims(TEXT)
    verdicts = tuple(
        Verdict(
            claim=claim,
            label="unverifiable" if "cancer" in claim.text else "supported",
            p_supported=0.9,
            p_contradicted=0.0,
            risk=0.1,
            quotes=(Quote(evidence_id="given:1", text=claim.text),),
        )
        for claim in claims
    )
    return ReviseInput(Draft(text=TEXT, claims=claims), verdicts, 0.5)


def revised(answer: str) -> str | None:
    asked = given()
    found = joined(asked, [v for v in asked.verdicts if v.label == "supported"], answer)
    return found.draft.text if found else None


def test_a_text_that_says_the_statements_is_taken_with_their_verdicts() -> None:
    answer = "Metformin lowers blood glucose [given:1]. Metformin does not cause hypoglycaemia."
    assert revised(answer) == "Metformin lowers blood glucose. Metformin does not cause hypoglycaemia."


def test_nothing_new_enters() -> None:
    kept = "Metformin lowers blood glucose. Metformin does not cause hypoglycaemia."
    assert revised(f"{kept} It also cures cancer.") is None
    assert revised(kept.replace("blood glucose", "blood glucose by 30 percent")) is None


def test_nothing_attested_is_lost_or_turned_about() -> None:
    assert revised("Metformin lowers blood glucose.") is None
    assert revised("Metformin lowers blood glucose. Metformin does cause hypoglycaemia.") is None


def with_choice(asked: ReviseInput) -> ReviseInput:
    """The same as the answer to a question for a yes."""
    verdicts = tuple(
        v.model_copy(
            update={
                "claim": v.claim.model_copy(
                    update={"span": (v.claim.span[0] + 5, v.claim.span[1] + 5), "cited": ("given:1",)}
                )
            }
        )
        for v in asked.verdicts
    )
    draft = Draft(text=f"Yes. {TEXT}", choice="yes", claims=tuple(v.claim for v in verdicts))
    return ReviseInput(draft, verdicts, 0.5, "Is metformin of use?")


def revision(playing: Playing, answer: str) -> Outcome[Revision]:
    model, _ = playing(lambda *_: {"answer": answer, "citations": []})
    return model_reviser(model).invoke(with_choice(given()))


def test_the_model_is_shown_the_attested_statements_with_their_ids_alone(playing: Playing) -> None:
    model, server = playing(good)
    found = model_reviser(model).invoke(with_choice(given()))
    assert shown_to(server)[1] == (
        "Question: Is metformin of use?\n\nStatements:\n"
        "- Metformin lowers blood glucose. [given:1]\n- Metformin does not cause hypoglycaemia. [given:1]"
    )
    assert found.value.draft.text == ("Yes. Metformin lowers blood glucose. Metformin does not cause hypoglycaemia.")
    assert found.usage.model_calls == 1


def test_what_is_revised_keeps_its_decision_its_places_and_its_citations(playing: Playing) -> None:
    answer = "Metformin does not cause hypoglycaemia. Metformin lowers blood glucose [given:1]."
    draft, verdicts = revision(playing, answer).value
    assert draft.text == "Yes. Metformin does not cause hypoglycaemia. Metformin lowers blood glucose."
    assert (draft.choice, draft.citations) == ("yes", ("given:1",))
    assert [draft.text[slice(*v.claim.span)] for v in verdicts] == [v.claim.text for v in verdicts]
    assert draft.claims == tuple(v.claim for v in verdicts)


@pytest.mark.parametrize(
    "answer",
    ["", "I cannot.", "Metformin lowers blood glucose. Metformin does not cause hypoglycaemia. Take 500 mg of it now."],
)
def test_what_adds_or_loses_is_cut_by_rule(playing: Playing, answer: str) -> None:
    assert revision(playing, answer).value == attested_only(with_choice(given()))


def test_so_is_what_fails(playing: Playing) -> None:
    model, _ = playing(down)
    found = model_reviser(model).invoke(with_choice(given()))
    assert found.value == attested_only(with_choice(given()))
    assert [failure.source for failure in found.failures] == ["model, revise"]


def test_one_statement_or_nothing_to_drop_needs_no_model(playing: Playing) -> None:
    model, server = playing(good)
    asked = given()
    for verdicts in (asked.verdicts[:2], asked.verdicts[1:]):
        found = model_reviser(model).invoke(asked._replace(verdicts=verdicts))
        assert found.value == attested_only(asked._replace(verdicts=verdicts))
    assert server.requests == []
