"""A model's judgement, and what it is worth beside the rules."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from chains.claims import split_claims
from chains.replies import Judgement
from chains.verify import ready
from chains.verify.comparing import examine
from chains.verify.entailment import Probabilities
from chains.verify.finding import Finding
from chains.verify.judged import MOST_CERTAIN, answering, judged, located, no_surer
from chains.verify.passage import read_passage
from chains.verify.risk import judge
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Evidence, Quote, Verdict

TEA = Evidence(
    id="given:1",
    text="Most patients were old. Zorblax fever is treated\n  with 50 mg of glimepride tea daily. It isn't fatal.",
    source="given",
)
OTHER = Evidence(id="given:2", text="Football is played by two teams of eleven players each.", source="given")
STATED = "Zorblax fever is treated with 50 mg of glimepride tea daily."
REWORDED = "Zorblax fever responds to 50 mg of glimepride tea daily in most patients."


class Judging:
    """Rules and a model on one claim."""

    def __init__(self, encode: Encode, rarity: Rarity) -> None:
        self._encode, self._rarity = encode, rarity

    def __call__(
        self, claim: str, label: Literal["supported", "contradicted", "unverifiable"], quote: str = STATED, **said: Any
    ) -> tuple[Verdict, Verdict]:
        """The verdict of the rules, and the one with the judgement in it."""
        claims = ready(split_claims(claim))
        (findings,) = examine(claims, [TEA, OTHER], self._encode, self._rarity)
        rules = judge(claims[0], findings, None)
        sure = {"support": 0.95 * (label == "supported"), "contradiction": 0.95 * (label == "contradicted"), **said}
        judgement = Judgement(label=label, quote=quote, **sure)
        return rules, judged(rules, judgement, [TEA, OTHER], findings)


@pytest.fixture(scope="module")
def judging(encode: Encode, rarity: Rarity) -> Judging:
    return Judging(encode, rarity)


def test_a_support_is_quoted_as_it_stands(judging: Judging) -> None:
    rules, verdict = judging(REWORDED, "supported", STATED.upper())
    assert verdict.label == "supported"
    assert verdict.p_supported == pytest.approx(max(0.95, rules.p_supported))
    assert verdict.risk == pytest.approx(1 - verdict.p_supported)
    assert verdict.quotes[0] == Quote(
        evidence_id="given:1", text="Zorblax fever is treated\n  with 50 mg of glimepride tea daily."
    )
    assert verdict.quotes[0].text in TEA.text
    assert verdict.signals["model_support"] == 0.95
    assert "as the model finds" in verdict.why


def test_no_model_is_quite_sure(judging: Judging) -> None:
    rules, verdict = judging(REWORDED, "supported", support=1.0)
    assert verdict.p_supported == max(MOST_CERTAIN, rules.p_supported) < 1
    denied = judging("Zorblax fever is fatal.", "contradicted", "It isn't fatal.", contradiction=1.0)[1]
    assert denied.p_contradicted == MOST_CERTAIN


@pytest.mark.parametrize("label", ["supported", "contradicted"])
@pytest.mark.parametrize(
    "quote", ["In 400 patients, cinnamon cured zorblax fever.", "", "daily", "treated with tea of glimepride"]
)
def test_a_quote_that_stands_nowhere_leaves_the_verdict_to_the_rules(judging: Judging, label: Any, quote: str) -> None:
    rules, verdict = judging(REWORDED, label, quote)
    kept = {"label", "p_supported", "p_contradicted", "risk", "quotes"}
    assert verdict.model_dump(include=kept) == rules.model_dump(include=kept)
    assert "the model's quote stands nowhere in the evidence" in verdict.why


@pytest.mark.parametrize(
    ("claim", "quote", "fault"),
    [
        ("Zorblax fever clears within 9 days when glimepride tea is drunk.", STATED, "it lacks a number of the claim"),
        ("Zorblax fever responds to glimepride tea.", OTHER.text, "it does not come near the claim"),
        ("Cinnamon cures gout, asthma and leprosy.", STATED, "it lacks most of what the claim says"),
    ],
)
def test_a_passage_that_cannot_decide_is_vetoed(judging: Judging, claim: str, quote: str, fault: str) -> None:
    rules, verdict = judging(claim, "supported", quote)
    assert rules.label != "contradicted"
    assert verdict.label == "unverifiable"
    assert verdict.risk >= 0.5
    assert fault in verdict.why


@pytest.mark.parametrize(
    ("signal", "fault"), [("number_conflict", "it has other numbers"), ("negation", "it denies it")]
)
def test_a_signal_that_the_rules_weigh_too_little_is_a_veto_all_the_same(
    judging: Judging, signal: str, fault: str
) -> None:
    finding = Finding(
        TEA, read_passage(TEA.text, "").windows[0], {"containment_passage": 1.0, signal: 0.4}, Probabilities(0.6, 0.3)
    )
    rules, _ = judging(REWORDED, "supported")
    found = judged(rules, Judgement(label="supported", support=0.9, contradiction=0.0, quote=STATED), [TEA], [finding])
    assert (found.label, fault in found.why) == ("unverifiable", True)


def test_a_denial_supports_nothing(judging: Judging) -> None:
    _, verdict = judging("Zorblax fever is fatal.", "supported", "It isn't fatal.")
    assert verdict.label != "supported"
    assert verdict.risk >= 0.5


def test_the_same_quantity_in_another_unit_is_the_same(judging: Judging) -> None:
    assert judging("Zorblax fever responds to 0.05 g of glimepride tea daily.", "supported")[1].label == "supported"


def test_what_the_rules_find_contradicted_stays_so(judging: Judging) -> None:
    wrong = "Zorblax fever is treated with 500 mg of glimepride tea daily."
    for rules, verdict in (judging(wrong, "supported"), judging(wrong, "unverifiable")):
        assert rules.label == verdict.label == "contradicted"
        assert verdict.risk == rules.risk
        assert "model_support" in verdict.signals


@pytest.mark.parametrize("contradiction", [0.0, 0.4, 0.9])
def test_a_model_may_find_a_contradiction_that_the_rules_miss(judging: Judging, contradiction: float) -> None:
    rules, verdict = judging(REWORDED, "contradicted", contradiction=contradiction)
    assert rules.label != "contradicted"
    assert verdict.label == "contradicted"
    assert verdict.p_contradicted >= max(0.5, contradiction)
    assert verdict.p_supported + verdict.p_contradicted <= 1.0 + 1e-9
    assert verdict.risk >= 0.5
    assert verdict.quotes[0].text in TEA.text


def test_a_model_that_finds_nothing_doubts_what_the_rules_support(judging: Judging) -> None:
    rules, verdict = judging("Zorblax fever is treated with 50 mg of glimepride tea.", "unverifiable", "", support=0.9)
    assert rules.label == "supported"
    assert verdict.label == "unverifiable"
    assert verdict.p_supported <= 0.5
    assert "the model does not find it" in verdict.why


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("zorblax FEVER is treated with 50 mg", "Zorblax fever is treated\n  with 50 mg"),
        ('  "Most patients were old."  ', "Most patients were old."),
        ("“Most patients\twere old”", "Most patients were old"),
        ("played by two teams of eleven", "played by two teams of eleven"),
        ("Most patients.were old", None),
        ("Most .* old and more", None),
        ("were old.", None),
        ("", None),
    ],
)
def test_a_quote_is_located_to_the_letter_but_for_blanks_and_capitals(quote: str, found: str | None) -> None:
    place = located(quote, [TEA, OTHER])
    assert (place.text if place else None) == found


def test_a_quote_of_retracted_evidence_stands_nowhere() -> None:
    assert located(OTHER.text, [OTHER.model_copy(update={"retracted": True})]) is None


def test_how_likely_it_answers_is_part_of_a_supported_claims_risk_alone(judging: Judging) -> None:
    supported = judging(REWORDED, "supported")[1]
    assert answering(supported, None) is supported
    assert answering(supported, 0.5).risk == pytest.approx(1 - 0.5 * supported.p_supported)
    doubted = judging(REWORDED, "unverifiable", "")[1]
    assert answering(doubted, 0.5) == doubted


def test_no_claim_is_surer_than_that_its_answer_tells_what_was_asked(judging: Judging) -> None:
    sure = answering(judging(REWORDED, "supported")[1], 0.9)
    assert no_surer(sure, 0.3).risk == pytest.approx(1 - 0.3 * sure.p_supported)
    assert no_surer(sure, 0.95) == sure
