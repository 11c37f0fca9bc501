from __future__ import annotations

from chains.revise import ReviseInput, attested_only
from core.schema import Claim, Draft, Label, Verdict

TEXT = "Yes. Aspirin relieves pain. It cures cancer. It thins blood."


def claim(sentence: str, cited: str) -> Claim:
    start = TEXT.index(sentence)
    return Claim(text=sentence, span=(start, start + len(sentence)), cited=(cited,))


CLAIMS = (claim("Aspirin relieves pain.", "a"), claim("It cures cancer.", "b"), claim("It thins blood.", "c"))
DRAFT = Draft(text=TEXT, choice="yes", citations=("a", "b", "c"), claims=CLAIMS)


def judged(*labels_and_risks: tuple[Label, float]) -> tuple[Verdict, ...]:
    return tuple(
        Verdict(claim=c, label=label, p_supported=0.5, p_contradicted=0.1, risk=risk)
        for c, (label, risk) in zip(CLAIMS, labels_and_risks, strict=True)
    )


def test_only_attested_claims_survive_with_their_spans_and_citations() -> None:
    verdicts = judged(("supported", 0.1), ("unverifiable", 0.9), ("supported", 0.2))
    revision = attested_only(ReviseInput(DRAFT, verdicts, 0.5))
    assert revision.draft.text == "Yes. Aspirin relieves pain. It thins blood."
    assert revision.draft.citations == ("a", "c")
    assert revision.draft.choice == "yes"
    for verdict in revision.verdicts:
        start, end = verdict.claim.span
        assert revision.draft.text[start:end] == verdict.claim.text


def test_a_supported_claim_of_too_high_a_risk_does_not_survive() -> None:
    verdicts = judged(("supported", 0.6), ("contradicted", 0.1), ("supported", 0.5))
    assert attested_only(ReviseInput(DRAFT, verdicts, 0.5)).draft.citations == ("c",)


def test_nothing_attested_leaves_neither_text_nor_choice() -> None:
    revision = attested_only(
        ReviseInput(DRAFT, judged(("contradicted", 1.0), ("contradicted", 1.0), ("contradicted", 1.0)), 0.5)
    )
    assert (revision.draft.text, revision.draft.choice, revision.verdicts) == ("", None, ())
