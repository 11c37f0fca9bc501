from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from chains.verify.statements.rule import Known, held, stand
from chains.verify.statements.vocabulary import PLAIN, Vocabulary
from core.language.statement import Statement
from tests.chains.verify.statements.build import passage, phrase, quantity, says, scope

KNOWN = Known(PLAIN, {})
CAUSES = says("smoking", "cause", "lung cancer")


def verdict(told: Statement, claimed: Statement) -> int:
    return held(told, claimed, KNOWN).toward


@pytest.mark.parametrize(
    ("told", "claimed", "expected"),
    [
        (says("smoking", "cause", "lung cancer"), CAUSES, 1),
        (says("smoking", "cause", "lung cancer", negated=True), CAUSES, -1),
        (says("smoking", "prevent", "lung cancer"), says("smoking", "raise", "lung cancer"), -1),
        (says("smoking", "cause", "lung cancer"), says("smoking", "prevent", "lung cancer"), -1),
        (says("smoking", "cause", "lung cancer"), says("smoking", "associate", "lung cancer"), 1),
        (says("smoking", "associate", "lung cancer"), CAUSES, 0),
        (says("smoking", "associate", "lung cancer", negated=True), CAUSES, -1),
        (says("lung cancer", "cause", "smoking"), CAUSES, 0),
        (says("lung cancer", "associate", "smoking"), says("smoking", "associate", "lung cancer"), 1),
        (says("smoking", "cause", "asthma"), CAUSES, 0),
        (says("smoking", "raise", "pain", negated=True), says("smoking", "lower", "pain"), 0),
        (says("drug", "treat", "vomiting"), says("drug", "cause", "vomiting"), 0),
        (says("everyone", "other", "flu vaccine", lemma="get"), says("you", "spread", "flu vaccine", lemma="get"), 0),
    ],
)
def test_a_relation_speaks_for_what_it_implies_and_against_its_opposite(
    told: Statement, claimed: Statement, expected: int
) -> None:
    assert verdict(told, claimed) == expected


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"attribution": "believed"}, "believe"),
        ({"modality": "asked"}, "only asks"),
        ({"modality": "hypothetical"}, "supposes"),
        ({"modality": "hedged"}, "may be"),
        ({"modality": "possible"}, "can be"),
        ({"scopes": (scope("species", "mice"),)}, "it is about “mice”, not people"),
        ({"scopes": (scope("condition", "vitamin deficiency"),)}, "not so limited"),
        ({"frequency": "rarely"}, "rarely"),
        ({"frequency": "only"}, "some alone"),
    ],
)
def test_what_keeps_a_statement_from_attesting_says_why(fields: dict[str, Any], why: str) -> None:
    found = held(says("smoking", "cause", "lung cancer", **fields), CAUSES, KNOWN)
    assert found.toward == 0
    assert found.reason is not None
    assert why in found.reason.why


def test_what_is_sure_attests_what_is_possible_and_what_is_rare_is_possible() -> None:
    possible = says("smoking", "cause", "lung cancer", modality="possible")
    assert verdict(CAUSES, possible) == 1
    assert verdict(says("smoking", "cause", "lung cancer", frequency="rarely"), possible) == 1


def test_everyone_is_no_restriction() -> None:
    assert verdict(says("smoking", "cause", "lung cancer", scopes=(scope("population", "people"),)), CAUSES) == 1


def test_a_claim_on_some_needs_a_statement_on_them() -> None:
    claimed = says("aspirin", "lower", "pain", scopes=(scope("population", "children"),))
    assert verdict(says("aspirin", "lower", "pain"), claimed) == 0
    assert verdict(says("aspirin", "lower", "pain", scopes=(scope("population", "children"),)), claimed) == 1


@pytest.mark.parametrize(
    ("told", "claimed", "expected"),
    [
        (quantity(5, "mg"), quantity(5, "mg"), 1),
        (quantity(5000, "mg"), quantity(5, "g"), 1),
        (quantity(5, "mg"), quantity(50, "mg"), -1),
        (quantity(5, "mg"), quantity(1, "mg", 10), 1),
        (quantity(1, "mg", 10), quantity(5, "mg"), 0),
        (quantity(5, "day"), quantity(5, "mg"), 0),
    ],
)
def test_numbers_must_be_met(told: Any, claimed: Any, expected: int) -> None:
    one, other = (says("dose", "be", "amount", quantities=(q,)) for q in (told, claimed))
    assert verdict(one, other) == expected


def test_a_kind_attests_the_general_and_a_denial_of_a_kind_denies_no_more() -> None:
    general = says("smoking", "cause", "cancer")
    assert verdict(CAUSES, general) == 1
    assert verdict(general, CAUSES) == 0
    assert verdict(says("smoking", "cause", "lung cancer", negated=True), general) == 0
    assert verdict(says("smoking", "cause", "cancer", negated=True), CAUSES) == -1


def test_the_lack_of_a_thing_is_not_the_thing() -> None:
    lack = replace(says("vitamin c", "cause", "scurvy"), subject=phrase("vitamin c", absent=True))
    assert verdict(lack, says("vitamin c", "cause", "scurvy")) == 0
    assert verdict(lack, lack) == 1


def test_an_exclusive_value_contradicts() -> None:
    assert verdict(says("Marfan", "inherit", "dominant trait"), says("Marfan", "inherit", "recessive trait")) == -1


def test_what_the_next_sentence_takes_back_is_denied() -> None:
    thought = ("Smoking causes lung cancer.", [CAUSES])
    plain = stand([CAUSES], [passage(thought, ("It rains.", []))], KNOWN)
    taken = stand([CAUSES], [passage(thought, ("Studies rejected this.", []), taken_back=1)], KNOWN)
    assert (plain.supports, plain.contradicts) == (True, False)
    assert (taken.supports, taken.contradicts) == (False, True)
    assert [sentence.text for sentence in plain.deciding] == ["Smoking causes lung cancer."]


def test_all_that_is_claimed_must_be_stated() -> None:
    other = says("smoking", "cause", "asthma")
    text = passage(("Smoking causes lung cancer.", [CAUSES]))
    assert not stand([CAUSES, other], [text], KNOWN).supports
    assert stand([CAUSES, other], [passage(("Both.", [CAUSES, other]))], KNOWN).supports


def test_a_claim_without_a_statement_is_unreadable() -> None:
    assert not stand([], [passage(("Smoking causes lung cancer.", [CAUSES]))], KNOWN).readable


@pytest.mark.parametrize(("told", "claimed"), [("gout clinic", "gout"), ("asthma inhalers", "asthma")])
def test_what_is_of_a_thing_is_not_the_thing(told: str, claimed: str) -> None:
    """However near the two are in meaning."""
    alike = Known(Vocabulary(encode=lambda texts: np.ones((len(texts), 1), np.float32)), {})
    for one, other in ((told, claimed), (claimed, told)):
        assert held(says(one, "cause", "stones"), says(other, "cause", "stones"), alike).toward == 0
