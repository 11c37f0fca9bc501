from __future__ import annotations

from chains.claims import split_claims
from chains.claims_by_model import tied
from chains.replies import ClaimReply

TEXT = "Metformin lowers blood glucose and reduces weight. It may cause diarrhoea."


def tie(*claims: str) -> list[tuple[str, str]]:
    by_rules = split_claims(TEXT)
    return [(c.text, TEXT[slice(*c.span)]) for c in tied([ClaimReply(text=t) for t in claims], by_rules)]


def test_statements_of_a_sentence_stand_for_it_in_its_place() -> None:
    first = "Metformin lowers blood glucose and reduces weight."
    assert tie("Metformin lowers blood glucose.", "Metformin reduces weight.", "Metformin may cause diarrhoea.") == [
        ("Metformin lowers blood glucose.", first),
        ("Metformin reduces weight.", first),
        ("Metformin may cause diarrhoea.", "It may cause diarrhoea."),
    ]


def test_what_a_model_leaves_out_stays() -> None:
    assert tie("Metformin lowers blood glucose.") == [(c.text, c.text) for c in split_claims(TEXT)]


def test_what_the_text_does_not_say_is_no_claim_of_it() -> None:
    assert tie("Aspirin prevents strokes in dogs.") == [(c.text, c.text) for c in split_claims(TEXT)]
