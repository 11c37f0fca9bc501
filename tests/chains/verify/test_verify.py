from __future__ import annotations

import pytest

from chains.claims import split_claims
from chains.verify import VerifyInput, verifier, verify
from core.embeddings import Encode, MiniLM
from core.rarity import Rarity, wordpiece_rarity
from core.schema import Claim, Evidence, Verdict


@pytest.fixture(scope="module")
def encode(embedder: MiniLM) -> Encode:
    return embedder.encode


@pytest.fixture(scope="module")
def rarity(embedder: MiniLM) -> Rarity:
    return wordpiece_rarity(embedder.vocabulary())


def given(number: int, text: str, **fields: object) -> Evidence:
    return Evidence.model_validate({"id": f"given:{number}", "text": text, "source": "given", **fields})


MARFAN = given(
    1,
    "Marfan syndrome is an inherited disorder of connective tissue. Ectopia lentis is a frequent feature of Marfan "
    "syndrome. Losartan reduces the rate of aortic root dilation in Marfan syndrome. The dose was 50 mg daily.",
)
LOEYS = given(2, "Ectopia lentis is not a feature of Loeys-Dietz syndrome.", title="Loeys-Dietz syndrome")
ASPIRIN = given(3, "Aspirin does not reduce the risk of dementia. Hyperkalemia may be seen.")


@pytest.fixture
def check(encode: Encode, rarity: Rarity):  # type: ignore[no-untyped-def]  # a helper of this file
    def run(claim: str, *evidence: Evidence, relevance: dict[str, float] | None = None) -> Verdict:
        pieces = evidence or (MARFAN, LOEYS, ASPIRIN)
        return verify(split_claims(claim), pieces, encode=encode, rarity=rarity, relevance=relevance)[0]

    return run


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Ectopia lentis is a frequent feature of Marfan syndrome.", "supported"),
        ("Losartan slows aortic root dilation in Marfan syndrome.", "supported"),
        ("Losartan increases the rate of aortic root dilation in Marfan syndrome.", "contradicted"),
        ("Ectopia lentis is not a feature of Marfan syndrome.", "contradicted"),
        ("Ectopia lentis is a feature of Loeys-Dietz syndrome.", "contradicted"),
        ("Aspirin reduces the risk of dementia.", "contradicted"),
        ("Hypokalemia may be seen.", "unverifiable"),
        ("The dose was 100 mg daily.", "contradicted"),
        ("The moon is made of cheese.", "unverifiable"),
    ],
)
def test_labels(check, claim: str, label: str) -> None:  # type: ignore[no-untyped-def]
    verdict = check(claim)
    assert verdict.label == label, verdict.why
    pieces = {piece.id: piece.text for piece in (MARFAN, LOEYS, ASPIRIN)}
    assert all(quote.text in pieces[quote.evidence_id] for quote in verdict.quotes)
    assert bool(verdict.quotes) == (label != "unverifiable")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Homeopathy cures asthma.", "There is little evidence that homeopathy cures asthma."),
        (
            "The MMR vaccine causes autism.",
            "It was once thought that the MMR vaccine causes autism. Studies rejected this.",
        ),
        ("Garlic cures colds.", "Some people believe that garlic cures colds."),
        ("Garlic cures colds.", "Does garlic cure colds?"),
        ("Garlic cures colds.", "We hypothesised that garlic cures colds."),
        ("Garlic causes colds.", "Garlic may cause colds."),
        ("Lung cancer causes smoking.", "Smoking causes lung cancer."),
        ("Metformin extends life.", "Metformin extends life in mice."),
        ("Scurvy is caused by a virus.", "Scurvy is caused by a lack of vitamin C in the diet."),
        ("Aspirin cures cancer.", "Aspirin relieves pain in people with cancer."),
    ],
)
def test_what_the_text_does_not_say_is_not_supported(check, claim: str, text: str) -> None:  # type: ignore[no-untyped-def]
    assert check(claim, given(1, text)).label != "supported"


def test_a_belief_and_a_species_are_named_as_the_reason(check) -> None:  # type: ignore[no-untyped-def]
    belief = check("Garlic cures colds.", given(1, "Some people believe that garlic cures colds."))
    assert "believe" in belief.why
    mice = check("Metformin lowers glucose.", given(1, "Metformin lowers glucose in mice."))
    assert "mice" in mice.why


def test_another_language_is_named_as_the_reason(check) -> None:  # type: ignore[no-untyped-def]
    verdict = check(
        "Skorbut wird durch einen Mangel an Vitamin C verursacht.", given(1, "Vitamin C deficiency causes scurvy.")
    )
    assert verdict.label == "unverifiable"


@pytest.mark.parametrize(
    "text", ["Scurvy", "x = f(y); return 1", "12 13 14 15", "a, " * 300 + "b.", "Scurvy is bad. " * 3_000]
)
def test_odd_texts_have_a_clear_outcome(check, text: str) -> None:  # type: ignore[no-untyped-def]
    assert check("Garlic cures colds.", given(1, text)).label == "unverifiable"


def test_a_text_without_an_end_is_told_to_be_too_long(check) -> None:  # type: ignore[no-untyped-def]
    verdict = check("gout, " * 60_000, given(1, "Gout is a disease."))
    assert (verdict.label, verdict.risk) == ("unverifiable", 1.0)
    assert "nothing so long" in verdict.why


def test_a_copy_is_as_good_as_certain_and_costs_no_embedding(rarity: Rarity) -> None:
    def encode(texts: object) -> object:
        raise AssertionError("nothing was to be embedded")

    claim = "Losartan reduces the rate of aortic root dilation in Marfan syndrome"
    verdict = verify(split_claims(claim), [MARFAN], encode=encode, rarity=rarity)[0]  # type: ignore[arg-type]
    assert (verdict.label, verdict.p_supported) == ("supported", 0.99)
    assert "word for word in given:1" in verdict.why


def test_a_copy_out_of_a_denial_is_no_copy(check) -> None:  # type: ignore[no-untyped-def]
    verdict = check("Aspirin prevents colon cancer", given(1, "It is not true that aspirin prevents colon cancer."))
    assert verdict.label != "supported"


LIST = "The B vitamins are:\n- B1 (thiamine)\n- B6\n- Folic acid\n\nThey help form red blood cells."


def test_a_list_with_its_head_is_a_copy_over_several_sentences(embedder: MiniLM, rarity: Rarity) -> None:
    said = LIST.partition("\n\n")[0]
    claim = Claim(text=said, span=(0, len(said)))
    verdict = verify([claim], [given(1, LIST)], encode=embedder.encode, rarity=rarity)[0]
    assert (verdict.label, verdict.p_supported) == ("supported", 0.99)
    assert verdict.quotes[0].text == said


def test_an_item_of_what_is_called_false_is_no_copy(check) -> None:  # type: ignore[no-untyped-def]
    text = "It is not true that:\n- Aspirin prevents colon cancer\n- Garlic cures gout"
    assert check("Aspirin prevents colon cancer. Garlic cures gout.", given(1, text)).label != "supported"


def test_one_feature_is_not_another(check) -> None:  # type: ignore[no-untyped-def]
    verdict = check("Cough is a frequent feature of Marfan syndrome.", given(1, MARFAN.text))
    assert verdict.label != "supported"


def test_retracted_evidence_is_named_but_supports_nothing(check) -> None:  # type: ignore[no-untyped-def]
    verdict = check("Vitamin Q cures the cold.", given(4, "Vitamin Q cures the cold.", retracted=True))
    assert (verdict.label, verdict.risk, verdict.quotes) == ("unverifiable", 1.0, ())
    assert "given:4 says so but has been retracted" in verdict.why


def test_conflicting_evidence_is_quoted_on_both_sides(check) -> None:  # type: ignore[no-untyped-def]
    alone = check(
        "Losartan reduces mortality in Marfan syndrome.", given(1, "Losartan reduces mortality in Marfan syndrome.")
    )
    both = check(
        "Losartan reduces mortality in Marfan syndrome.",
        given(1, "Losartan reduces mortality in Marfan syndrome."),
        given(2, "Losartan does not reduce mortality in Marfan syndrome."),
    )
    assert {quote.evidence_id for quote in both.quotes} == {"given:1", "given:2"}
    assert both.risk > alone.risk
    assert both.p_contradicted > alone.p_contradicted
    assert "given:2" in both.why


def test_risk_asks_whether_the_evidence_answers_the_question(check) -> None:  # type: ignore[no-untyped-def]
    claim = "Ectopia lentis is a frequent feature of Marfan syndrome."
    asked = check(claim, relevance={"given:1": 0.4})
    assert asked.label == "supported"
    assert asked.risk == pytest.approx(1 - 0.4 * asked.p_supported)
    assert check(claim, relevance={}).risk == 1.0


def test_passages_of_one_document_are_one_source(check) -> None:  # type: ignore[no-untyped-def]
    text = "Fibrillin-1 is mutated in Marfan syndrome."
    one = check(text, *(given(n, text, id=f"repository:c/doc#{n}") for n in (1, 2)))
    two = check(text, *(given(n, text, id=f"repository:c/doc{n}#1", certified=n == 1) for n in (1, 2)))
    assert (one.signals["independent_sources"], two.signals["independent_sources"]) == (1.0, 2.0)
    assert two.signals["source_strength"] == 1.0


def test_without_evidence_nothing_is_verifiable(check, encode: Encode, rarity: Rarity) -> None:  # type: ignore[no-untyped-def]
    for evidence in ([], [given(1, "  ")]):
        verdict = verify(split_claims("Aspirin thins blood."), evidence, encode=encode, rarity=rarity)[0]
        assert (verdict.label, verdict.risk) == ("unverifiable", 1.0)
        assert "no evidence" in verdict.why


async def test_the_chain_verifies(encode: Encode, rarity: Rarity) -> None:
    claims = split_claims("The dose was 50 mg daily. The moon is made of cheese.")
    outcome = await verifier(encode, rarity).ainvoke(VerifyInput(claims, (MARFAN,)))
    assert [verdict.label for verdict in outcome.value] == ["supported", "unverifiable"]
    assert [verdict.claim for verdict in outcome.value] == list(claims)
