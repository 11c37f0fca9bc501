"""Support needs the rules and, where there is one, the reader that has learned."""

from collections.abc import Callable, Sequence

import pytest

from chains.claims import split_claims
from chains.verify import verify
from core.embeddings import MiniLM
from core.rarity import wordpiece_rarity
from core.schema import Evidence, Verdict

SCURVY = "Gums bleed easily. Scurvy is caused by a lack of vitamin C. It was common at sea."
Asked = list[tuple[str, str, str]]


@pytest.fixture
def check(embedder: MiniLM) -> Callable[[str, float], tuple[Verdict, Asked]]:
    rarity = wordpiece_rarity(embedder.vocabulary())
    evidence = [Evidence(id="given:1", text=SCURVY, source="given")]

    def run(claim: str, supported: float) -> tuple[Verdict, Asked]:
        asked: Asked = []

        def learned(pairs: Sequence[tuple[str, str, str]]) -> list[tuple[float, float]]:
            asked.extend(pairs)
            return [(supported, 0.0) for _ in pairs]

        claims = split_claims(claim)
        return verify(claims, evidence, encode=embedder.encode, rarity=rarity, learned=learned)[0], asked

    return run


def test_a_reader_that_agrees_leaves_the_verdict(check: Callable[[str, float], tuple[Verdict, Asked]]) -> None:
    verdict, asked = check("Scurvy is due to lack of vitamin C.", 0.9)
    assert verdict.label == "supported"
    assert [text for _, text, _ in asked][-1] == SCURVY


def test_a_reader_that_does_not_see_it_vetoes(check: Callable[[str, float], tuple[Verdict, Asked]]) -> None:
    verdict, _ = check("Scurvy is due to lack of vitamin C.", 0.1)
    assert verdict.label == "unverifiable"
    assert verdict.risk > 0.85
    assert "second reading" in verdict.why


@pytest.mark.parametrize("claim", ["Scurvy is caused by a lack of vitamin C.", "The moon is made of cheese."])
def test_it_is_not_asked_of_copies_nor_of_what_the_rules_do_not_support(
    check: Callable[[str, float], tuple[Verdict, Asked]], claim: str
) -> None:
    verdict, asked = check(claim, 0.0)
    assert asked == []
    assert verdict.label == ("supported" if "scurvy" in claim.lower() else "unverifiable")
