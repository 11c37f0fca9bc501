"""The reader that has learned: an opinion among the signals, which finds what is said in other words, and can veto."""

from collections.abc import Callable, Sequence

import pytest

from chains.claims import split_claims
from chains.verify import verify
from core.embeddings import MiniLM
from core.rarity import wordpiece_rarity
from core.readers.entailment import Entailed
from core.schema import Evidence, Verdict

SCURVY = "Gums bleed easily. Scurvy is caused by a lack of vitamin C. It was common at sea."
Asked = list[tuple[str, str, str]]
Check = Callable[[str, Entailed], tuple[Verdict, Asked]]


@pytest.fixture
def check(embedder: MiniLM) -> Check:
    rarity = wordpiece_rarity(embedder.vocabulary())
    evidence = [Evidence(id="given:1", text=SCURVY, source="given")]

    def run(claim: str, opinion: Entailed) -> tuple[Verdict, Asked]:
        asked: Asked = []

        def learned(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
            asked.extend(pairs)
            return [opinion for _ in pairs]

        return verify(split_claims(claim), evidence, encode=embedder.encode, rarity=rarity, learned=learned)[0], asked

    return run


@pytest.mark.parametrize(
    ("claim", "text", "label"),
    [
        ("Ibuprofen relieves pain.", "Ibuprofen relieves pain and fever by blocking prostaglandins.", "supported"),
        ("Scurvy is caused by a lack of vitamin C.", "Scurvy is caused by a lack of vitamin C in food.", "supported"),
        ("Antibiotics kill viruses.", "Antibiotics kill viruses, according to most respondents.", "unverifiable"),
        ("Vitamin C prevents colds.", "Vitamin C prevents colds in runners but not in others.", "unverifiable"),
        ("Coffee causes cancer.", "Coffee causes cancer in mice.", "unverifiable"),
    ],
)
def test_a_sentence_that_begins_with_the_claim_needs_no_reader_unless_it_takes_it_back(
    embedder: MiniLM, claim: str, text: str, label: str
) -> None:
    def doubting(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        return [Entailed(0.1, 0.2) for _ in pairs]

    evidence = [Evidence(id="given:1", text=text, source="given")]
    rarity = wordpiece_rarity(embedder.vocabulary())
    (verdict,) = verify(split_claims(claim), evidence, encode=embedder.encode, rarity=rarity, learned=doubting)
    assert verdict.label == label, verdict.why


def test_what_it_finds_in_other_words_is_supported(check: Check) -> None:
    claim = "Sailors who ate too little vitamin C got scurvy."
    found, asked = check(claim, Entailed(0.99, 0.001))
    missed, _ = check(claim, Entailed(0.01, 0.01))
    assert asked == [(claim, SCURVY, "")]
    assert found.label == "supported"
    assert missed.label == "unverifiable"
    assert found.risk < missed.risk


def test_it_vetoes_what_the_rules_support(check: Check) -> None:
    verdict, _ = check("Scurvy is due to lack of vitamin C.", Entailed(0.01, 0.01))
    assert verdict.label == "unverifiable"
    assert verdict.risk > 0.5
    assert "second reading" in verdict.why


def test_it_is_vetoed_where_another_number_stands(check: Check) -> None:
    verdict, _ = check("Scurvy is caused by a lack of 20 mg of vitamin B.", Entailed(0.99, 0.001))
    assert verdict.label != "supported"


def test_it_is_not_asked_of_copies(check: Check) -> None:
    verdict, asked = check("Scurvy is caused by a lack of vitamin C.", Entailed(0.0, 1.0))
    assert asked == []
    assert verdict.label == "supported"


@pytest.mark.parametrize(("against", "opposing"), [(0.9, 1.0), (0.01, 0.0)])
def test_of_a_copy_it_reads_what_seems_to_contradict_it_and_can_veto_that(
    embedder: MiniLM, against: float, opposing: float
) -> None:
    """Another page that says the opposite, as the rules read it."""
    copied, other = "Vitamin C cures the common cold.", "Vitamin C does not cure the common cold. It was tried at sea."
    evidence = [Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate((copied, other))]
    asked: Asked = []

    def learned(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        asked.extend(pairs)
        return [Entailed(0.01, against) for _ in pairs]

    rarity = wordpiece_rarity(embedder.vocabulary())
    (verdict,) = verify(split_claims(copied), evidence, encode=embedder.encode, rarity=rarity, learned=learned)
    assert asked == [(copied, other, "")]
    assert verdict.signals["opposing_sources"] == opposing
