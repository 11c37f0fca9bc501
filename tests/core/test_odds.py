from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.odds import LEAST, class_odds, log_odds, probabilities, probability

LOGIT = st.floats(-30, 30)


@given(st.floats(LEAST, 1 - LEAST))
def test_a_probability_comes_back_from_its_log_odds(p: float) -> None:
    assert probability(log_odds(p)) == pytest.approx(p)


def test_what_is_nearly_sure_is_held_away_from_certainty() -> None:
    assert (log_odds(1.0), log_odds(0.0)) == (log_odds(1 - LEAST), log_odds(LEAST))


@given(st.lists(LOGIT, min_size=1, max_size=4))
def test_classes_share_what_the_one_more_leaves(logits: list[float]) -> None:
    found = probabilities(logits)
    rest = 1 / (1 + sum(math.exp(logit) for logit in logits))
    assert found == pytest.approx([math.exp(logit) * rest for logit in logits])


@given(LOGIT)
def test_one_class_against_another_is_a_probability(logit: float) -> None:
    assert probabilities([logit]) == pytest.approx((probability(logit),))


def test_the_surest_classes_overflow_nothing() -> None:
    assert probabilities([2000.0, -2000.0]) == (1.0, 0.0)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=4))
def test_odds_of_classes_are_those_of_each_row_by_each_class(inputs: list[tuple[float, float]]) -> None:
    coefficients = np.array([[0.5, -1.0, 0.25], [2.0, 0.0, -1.0]])
    expected = [[math.exp(a * x + b * y + c) for a, b, c in coefficients] for x, y in inputs]
    assert class_odds(np.array(inputs), coefficients) == pytest.approx(np.array(expected))
