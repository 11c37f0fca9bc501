from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chains.verify import verify
from chains.verify.wary import wary
from core.schema import Claim, Evidence, Verdict

SAID = "Leptospirosis is treated with doxycycline for one week."


@pytest.fixture
def verdict(encode: Any, rarity: Any) -> Callable[[str], Verdict]:
    def of(claim: str) -> Verdict:
        evidence = [Evidence(id="given:1", text=SAID, source="given")]
        return verify([Claim(text=claim, span=(0, len(claim)))], evidence, encode=encode, rarity=rarity)[0]

    return of


def test_an_invention_in_the_questions_words_is_not_attested_by_them(verdict: Callable[[str], Verdict]) -> None:
    found = wary(verdict("Cinnamon oil cures leptospirosis."))
    assert found.label == "unverifiable"
    assert found.risk >= 0.5


@pytest.mark.parametrize("claim", [SAID, "Doxycycline is the treatment of leptospirosis."])
def test_what_the_passage_says_stays_as_it_was_found(verdict: Callable[[str], Verdict], claim: str) -> None:
    assert wary(verdict(claim)) == verdict(claim)
