from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chains.answer.joining import joined, with_sentence
from core.schema import Draft

OPENING = st.text(max_size=8)
SENTENCES = st.lists(st.text(min_size=1, max_size=8))


def drafted(opening: str, sentences: list[str]) -> Draft:
    draft = Draft(text=opening)
    for number, sentence in enumerate(sentences):
        draft = with_sentence(draft, sentence, f"pubmed:{number % 2}")
    return draft


@given(OPENING, SENTENCES, OPENING, SENTENCES, st.sampled_from([" ", "\n", "\n\n"]))
def test_every_claim_is_where_its_place_says(
    opening: str, told: list[str], other: str, further: list[str], between: str
) -> None:
    draft = joined(drafted(opening, told), drafted(other, further), between)
    assert [claim.text for claim in draft.claims] == [*told, *further]
    assert all(draft.text[slice(*claim.span)] == claim.text for claim in draft.claims)


def test_what_is_joined_keeps_the_choice_and_cites_each_piece_once() -> None:
    first = with_sentence(Draft(text="Yes.", choice="yes", reasoning=("It is stated.",)), "It helps.", "pubmed:1")
    rest = with_sentence(with_sentence(Draft(text=""), "It is safe.", "pubmed:2"), "It is cheap.", "pubmed:1")
    draft = joined(first, rest)
    assert draft.text == "Yes. It helps. It is safe. It is cheap."
    assert (draft.choice, draft.reasoning) == ("yes", ("It is stated.",))
    assert draft.citations == ("pubmed:1", "pubmed:2")


def test_nothing_stands_before_the_first_sentence_or_after_the_last() -> None:
    draft = with_sentence(Draft(text=""), "It helps.", "pubmed:1", between="\n\n")
    assert draft.text == "It helps."
    assert joined(draft, Draft(text="")) == draft


def test_a_lead_is_of_the_place_and_not_of_the_statement() -> None:
    draft = with_sentence(Draft(text="Gout hurts."), "It is treated.", "pubmed:1", between="\n", lead="Pseudogout: ")
    (claim,) = draft.claims
    assert draft.text[slice(*claim.span)] == "Pseudogout: It is treated."
    assert claim.text == "It is treated."
