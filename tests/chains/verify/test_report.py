"""What is read as the report of a study, or as a piece of one: of those support need not be as sure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chains.claims import split_claims
from chains.verify import verify
from chains.verify.passage import read_passage
from chains.verify.report import cut_up, report
from core.embeddings import MiniLM
from core.rarity import wordpiece_rarity
from core.readers.entailment import Entailed
from core.schema import Evidence, Verdict

LEAFLET = "Wash your hands before you eat. Most colds get better on their own."
SENTENCES = (
    "Zorblax fever is a rare illness of the liver.",
    "Sixty adults took glimepride tea or water.",
    "Those who drank the tea were well again after a week.",
    "The others took a month.",
    "Glimepride tea may shorten zorblax fever.",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We found that masks lowered transmission.", 0.5),
        ("Our results do not support this.", 0.5),
        ("The adjusted odds ratio was 1.4.", 0.5),
        ("In this randomised trial fewer of them fell ill.", 0.5),
        ("Transmission was lower (p < 0.05).", 0.5),
        (LEAFLET, 0.0),
        ("We all catch a cold now and then.", 0.0),
        ("Call us if you find a lump.", 0.0),
        (" ".join(SENTENCES), 1.0),
    ],
)
def test_a_report_is_long_and_a_piece_of_one_speaks_as_one(text: str, found: float) -> None:
    assert report(read_passage(text, "")) == found


def test_a_sentence_of_a_report_that_is_cut_up_counts_as_the_report() -> None:
    assert report(read_passage(SENTENCES[0], ""), one_report=True) == 1.0


def test_sentences_are_one_report_where_there_are_enough_of_them_and_nothing_longer() -> None:
    alone = [read_passage(text, "") for text in SENTENCES]
    assert cut_up(alone)
    assert not cut_up(alone[:4])
    assert not cut_up([*alone, read_passage(LEAFLET, "")])


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (SENTENCES, "supported"),
        ((" ".join(SENTENCES),), "supported"),
        (("Those with zorblax fever who drank glimepride tea were well again after a week.",), "unverifiable"),
        (
            ("We found that those with zorblax fever who drank glimepride tea were well again after a week.",),
            "supported",
        ),
    ],
)
def test_what_a_report_says_in_other_words_is_attested_by_a_likelihood_that_a_page_needs_more_of(
    embedder: MiniLM, texts: Sequence[str], label: str
) -> None:
    claim = "Glimepride tea makes people with zorblax fever recover sooner."
    assert _verdict(embedder, claim, texts, Entailed(0.85, 0.02)).label == label


@pytest.mark.parametrize(("seen", "label"), [(0.9, "supported"), (0.6, "unverifiable")])
def test_a_short_text_that_states_a_claim_attests_it_only_where_the_reader_sees_that(
    embedder: MiniLM, seen: float, label: str
) -> None:
    texts = ["Scurvy is caused by a lack of vitamin C."]
    assert _verdict(embedder, "A lack of vitamin C causes scurvy.", texts, Entailed(seen, 0.02)).label == label


def _verdict(embedder: MiniLM, claim: str, texts: Sequence[str], opinion: Entailed) -> Verdict:
    evidence = [Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts, start=1)]

    def learned(pairs: Sequence[tuple[str, str, str]]) -> list[Entailed]:
        return [opinion for _ in pairs]

    rarity = wordpiece_rarity(embedder.vocabulary())
    return verify(split_claims(claim), evidence, encode=embedder.encode, rarity=rarity, learned=learned)[0]
