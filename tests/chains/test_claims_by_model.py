from __future__ import annotations

import pytest

from chains.claims import ClaimInput, claim_splitter, split_claims
from chains.claims_by_model import model_claim_splitter, tied
from chains.replies import ClaimReply
from tests.chains.conftest import Playing, shown_to
from tests.emulators.models import down, good
from tests.emulators.openai import Play

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


def test_a_statement_that_a_model_repeats_is_one_claim() -> None:
    once = tie("Metformin lowers blood glucose.", "Metformin reduces weight.")
    assert tie(*["Metformin lowers blood glucose.", "Metformin reduces  weight."] * 20) == once


def test_what_a_model_leaves_out_stays() -> None:
    assert tie("Metformin lowers blood glucose.") == [(c.text, c.text) for c in split_claims(TEXT)]


def test_what_the_text_does_not_say_is_no_claim_of_it() -> None:
    assert tie("Aspirin prevents strokes in dogs.") == [(c.text, c.text) for c in split_claims(TEXT)]


@pytest.mark.parametrize(("play", "failed"), [(good, 0), (down, 1)])
def test_a_text_is_split_whether_or_not_the_model_answers(playing: Playing, play: Play, failed: int) -> None:
    model, server = playing(play)
    found = model_claim_splitter(model, claim_splitter()).invoke(ClaimInput(TEXT))
    assert [claim.span for claim in found.value] == [claim.span for claim in split_claims(TEXT)]
    assert [failure.source for failure in found.failures] == ["model, claims"] * failed
    assert shown_to(server)[1] == f"<text>\n{TEXT}\n</text>"


def test_a_text_that_claims_nothing_asks_no_model(playing: Playing) -> None:
    model, server = playing(good)
    assert model_claim_splitter(model, claim_splitter()).invoke(ClaimInput("Why?")).value == ()
    assert server.requests == []
