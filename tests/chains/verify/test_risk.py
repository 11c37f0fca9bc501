from __future__ import annotations

import pytest

from chains.verify.risk import strength
from core.schema import Evidence


def weight_of(level: str | None) -> float:
    return strength(Evidence(id="pubmed:1", text="t", source="pubmed", level=level))


def test_weights_fall_with_the_strength_of_the_design() -> None:
    falling = ("guideline", "randomised trial", "clinical trial", "cohort study", "case-control study", "case report")
    weights = [weight_of(level) for level in falling]
    assert weights == sorted(weights, reverse=True)
    assert weight_of("expert opinion") < weight_of("review") < weight_of("randomised trial")


@pytest.mark.parametrize(
    ("one", "other"),
    [("guideline", "systematic review or meta-analysis"), (None, "no such level"), ("observational study", None)],
)
def test_these_levels_weigh_the_same(one: str | None, other: str | None) -> None:
    assert weight_of(one) == weight_of(other)
