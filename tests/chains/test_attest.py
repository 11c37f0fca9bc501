from __future__ import annotations

import pytest

from chains.attest import attested_verdicts, citing_what_attests
from core.schema import Claim, Draft, Evidence, Quote, Verdict

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


def drafted(*verdicts: Verdict, citations: tuple[str, ...] = ()) -> Draft:
    return Draft(text="Aspirin relieves pain.", citations=citations, claims=tuple(v.claim for v in verdicts))


def uncited(verdict: Verdict) -> Verdict:
    return verdict.model_copy(update={"claim": verdict.claim.model_copy(update={"cited": ()})})


def test_a_supported_claim_without_a_citation_cites_what_attests_it() -> None:
    plain = uncited(verdict())
    found = citing_what_attests(drafted(plain, citations=("given:9",)), [plain])
    assert found["verdicts"] == (verdict(),)
    assert found["draft"] == drafted(verdict(), citations=("given:9", "given:1"))


@pytest.mark.parametrize(
    "plain",
    [
        verdict(cited="given:2"),
        uncited(verdict()).model_copy(update={"label": "unverifiable"}),
        uncited(verdict()).model_copy(update={"quotes": ()}),
    ],
)
def test_other_claims_cite_what_they_cite(plain: Verdict) -> None:
    found = citing_what_attests(drafted(plain), [plain])
    assert found["verdicts"] == (plain,)
    assert found["draft"] == drafted(plain, citations=plain.claim.cited)


@pytest.mark.parametrize(
    ("quote", "label"), [("Take 500 mg of aspirin", "supported"), ("Take aspirin", "unverifiable")]
)
def test_a_dose_needs_the_same_number_and_unit_in_its_quote(quote: str, label: str) -> None:
    evidence = Evidence(id="given:1", text="Take 500 mg of aspirin twice a day.", source="given")
    dosed = verdict(quote=quote)
    dosed = dosed.model_copy(
        update={"claim": dosed.claim.model_copy(update={"text": "Adults take 500 mg of aspirin."})}
    )
    (checked,) = attested_verdicts([dosed], [evidence])
    assert checked.label == label
