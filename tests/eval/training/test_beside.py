from __future__ import annotations

import random

from eval.training.beside import beside, nearest
from eval.training.written import Written

PASSAGES = [
    "Gout comes from uric acid crystals in a joint.",
    "Uric acid crystals in a joint hurt at night.",
    "Asthma narrows the airways.",
    "An inhaler widens the airways in asthma.",
]


def test_the_nearest_share_rare_words_and_are_never_the_passage_itself() -> None:
    assert [near[:1] for near in nearest(PASSAGES)] == [[1], [0], [3], [2]]


def test_a_claim_stands_beside_a_passage_near_to_its_own() -> None:
    pairs = [Written(f"claim {place}", text, "supported", False, str(place)) for place, text in enumerate(PASSAGES)]
    found = beside(pairs, random.Random(1))
    assert {pair.claim: PASSAGES.index(pair.passage) for pair in found} == {f"claim {i}": i ^ 1 for i in range(4)}
    assert {pair.label for pair in found} == {"neither"}
