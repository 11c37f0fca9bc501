from __future__ import annotations

from chains.claims import split_claims
from chains.revise import ReviseInput
from chains.revise_by_model import joined
from core.schema import Draft, Quote, Verdict

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
