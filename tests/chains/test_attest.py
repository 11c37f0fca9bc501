from __future__ import annotations

import pytest

from chains.attest import attested_verdicts
from core.schema import Claim, Evidence, Quote, Verdict

EVIDENCE = (
    Evidence(id="given:1", text="Aspirin relieves pain. It thins blood.", source="given"),
    Evidence(id="given:2", text="Aspirin relieves pain.", source="given", retracted=True),
)


def verdict(cited: str = "given:1", quoted: str = "given:1", quote: str = "Aspirin relieves pain.") -> Verdict:
    return Verdict(
        claim=Claim(text="Aspirin relieves pain.", span=(0, 22), cited=(cited,)),
        label="supported",
        p_supported=0.9,
        p_contradicted=0.0,
        risk=0.1,
        quotes=(Quote(evidence_id=quoted, text=quote),),
    )


def test_a_claim_whose_citation_and_quote_exist_stays_as_it_is() -> None:
    assert attested_verdicts([verdict()], EVIDENCE) == (verdict(),)


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (verdict(cited="pubmed:1"), "cites pubmed:1, which was not retrieved"),
        (verdict(quoted="pubmed:1"), "quote is not in pubmed:1"),
        (verdict(quote="Aspirin cures cancer."), "quote is not in given:1"),
        (verdict().model_copy(update={"quotes": ()}), "no quote attests it"),
        (verdict(cited="given:2", quoted="given:2"), "only retracted evidence"),
    ],
)
def test_a_fault_turns_a_claim_unverifiable_and_is_named(broken: Verdict, fault: str) -> None:
    (checked,) = attested_verdicts([broken], EVIDENCE)
    assert (checked.label, checked.risk, checked.quotes) == ("unverifiable", 1.0, ())
    assert fault in checked.why
