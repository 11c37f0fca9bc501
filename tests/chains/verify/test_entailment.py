from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chains.verify.entailment import Coefficients, coefficients, entailment, features
from chains.verify.signals import SIGNALS

SIMPLE = Coefficients(("similarity",), (0.5,), (0.25,), (2.0,), (1.0,), (0.5, -0.5))


def test_the_committed_coefficients_are_of_signals_that_exist() -> None:
    assert set(coefficients().features) <= set(features(dict.fromkeys(SIGNALS)))


def test_probabilities_are_a_softmax_with_neither_as_reference() -> None:
    found = entailment({"similarity": 0.75, "counter_margin": -1.0}, SIMPLE)
    exponents = [math.exp(0.5 + 2.0), math.exp(-0.5 + 1.0), 1.0]
    assert tuple(found) == pytest.approx((exponents[0] / sum(exponents), exponents[1] / sum(exponents)))


@given(st.dictionaries(st.sampled_from([*SIGNALS]), st.none() | st.floats(0, 1)))
def test_probabilities_are_probabilities(signals: dict[str, float | None]) -> None:
    found = entailment(signals)
    assert 0.0 <= found.supported <= 1.0
    assert 0.0 <= found.contradicted <= 1.0
    assert found.supported + found.contradicted <= 1.0 + 1e-9
