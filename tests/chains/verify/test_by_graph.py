"""The graph alone as verifier, with hand-made balances."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from chains.claims import split_claims
from chains.verify import VerifyInput
from chains.verify.by_graph import Pair, PathBalance, graph_verifier
from core.embeddings import Encode
from core.rarity import Rarity
from core.schema import Concept, Evidence, Mention, Verdict

NAMES = ("losartan", "aspirin", "Marfan syndrome", "dementia", "aortic root dilation", "hyperkalemia", "hypokalemia")
EVIDENCE = (
    Evidence(id="given:1", text="Losartan reduces aortic root dilation in Marfan syndrome.", source="given"),
    Evidence(id="given:2", text="Hyperkalemia follows losartan.", source="given"),
)


def link(text: str) -> list[Mention]:
    found = [(m, name) for name in NAMES for m in re.finditer(re.escape(name), text, re.IGNORECASE)]
    return [
        Mention(concept=Concept(id=name, name=name), start=m.start(), end=m.end(), text=m.group())
        for m, name in sorted(found, key=lambda pair: pair[0].start())
    ]


def balance(p_net: float) -> PathBalance:
    return PathBalance(support=p_net, contradiction=1 - p_net, p_net=p_net)


class Verifying:
    """A verifier whose graph gives every pair these balances; ``pairs`` and ``context`` are what it was asked."""

    def __init__(self, encode: Encode, rarity: Rarity) -> None:
        self._encode, self._rarity = encode, rarity

    def __call__(self, text: str, *given: PathBalance | None, evidence: Sequence[Evidence] = EVIDENCE) -> list[Verdict]:
        def connect(pairs: Sequence[Pair], context: Sequence[Concept]) -> list[PathBalance | None]:
            self.pairs = [(one.name, other.name) for one, other in pairs]
            self.context = {concept.name for concept in context}
            return list(given)

        chain = graph_verifier(connect, self._encode, self._rarity, link)
        return list(chain.invoke(VerifyInput(split_claims(text), tuple(evidence))).value)


@pytest.fixture
def verifying(encode: Encode, rarity: Rarity) -> Verifying:
    return Verifying(encode, rarity)


STATED = "Losartan reduces aortic root dilation in Marfan syndrome."


def test_paths_that_support_a_claim_make_its_risk(verifying: Verifying) -> None:
    (verdict,) = verifying(STATED, balance(0.9))
    assert verdict.label == "supported"
    assert verdict.p_supported == 0.9
    assert verdict.risk == pytest.approx(0.1)
    assert verdict.quotes[0].text in EVIDENCE[0].text
    assert verdict.signals["hrs"] == pytest.approx(0.1)
    assert verdict.signals["p_support_paths"] == 0.9
    assert verifying.pairs == [("losartan", "aortic root dilation")], "its subject and its object"
    assert verifying.context == {"losartan", "aortic root dilation", "Marfan syndrome", "hyperkalemia"}


def test_counter_paths_contradict_it(verifying: Verifying) -> None:
    (verdict,) = verifying(STATED, balance(0.2))
    assert verdict.label == "contradicted"
    assert verdict.risk == pytest.approx(0.8)
    assert "P_net of losartan and aortic root dilation is 0.20" in verdict.why


@pytest.mark.parametrize(("p_net", "label"), [(0.9, "contradicted"), (0.1, "supported")])
def test_a_denied_claim_turns_both_about(verifying: Verifying, p_net: float, label: str) -> None:
    evidence = [EVIDENCE[0].model_copy(update={"text": "Aspirin does not prevent dementia."})]
    (verdict,) = verifying("Aspirin does not prevent dementia.", balance(p_net), evidence=evidence)
    assert verdict.label == label
    assert verdict.risk == pytest.approx(p_net)


@pytest.mark.parametrize(
    ("text", "given", "why"),
    [
        ("Losartan reduces dementia.", [None], "no path joins losartan and dementia"),
        ("Losartan is a tablet.", [], "it has no two concepts"),
        ("Losartan is losartan indeed.", [], "it has no two concepts"),
    ],
)
def test_what_the_graph_does_not_know_is_missing_and_no_support(
    verifying: Verifying, text: str, given: list[PathBalance | None], why: str
) -> None:
    (verdict,) = verifying(text, *given)
    assert (verdict.label, verdict.risk, verdict.quotes) == ("unverifiable", 1.0, ())
    assert why in verdict.why
    assert verdict.signals["p_net"] is None


def test_each_claim_gets_the_balance_of_its_own_pair(verifying: Verifying) -> None:
    text = f"Losartan is a tablet. {STATED} Losartan reduces dementia."
    verdicts = verifying(text, balance(0.9), None)
    assert [v.label for v in verdicts] == ["unverifiable", "supported", "unverifiable"]
    assert verifying.pairs == [("losartan", "aortic root dilation"), ("losartan", "dementia")]


def test_without_two_concepts_in_subject_and_object_the_first_and_the_last_count(verifying: Verifying) -> None:
    verifying("Nobody gives losartan to those who have dementia.", balance(0.9))
    assert verifying.pairs == [("losartan", "dementia")]


def test_near_concepts_in_other_words_may_be_invented(verifying: Verifying) -> None:
    (verdict,) = verifying("Losartan is an ancient remedy that kings drank against Marfan syndrome.", balance(0.95))
    assert verdict.label == "unverifiable"
    assert verdict.quotes == ()
    assert "a paraphrase that may be invented" in verdict.why


def test_an_opposite_in_the_evidence_contradicts_however_near_the_concepts(verifying: Verifying) -> None:
    (verdict,) = verifying("Hypokalemia follows losartan.", balance(0.95))
    assert verdict.label == "contradicted"
    assert verdict.risk == 1.0
    assert verdict.quotes[0].evidence_id == "given:2"


def test_retracted_evidence_takes_no_part(verifying: Verifying) -> None:
    gone = [piece.model_copy(update={"retracted": True}) for piece in EVIDENCE]
    (verdict,) = verifying(STATED, balance(0.9), evidence=gone)
    assert verdict.label == "unverifiable"
    assert verifying.context == set()
