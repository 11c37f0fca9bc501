from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from tools.knowledge.graph import LITERAL, STEEP, Membership


def test_the_literal_sigmoid_spans_no_more_than_the_paper_says() -> None:
    of = LITERAL.of(np.array([-1.0, 0.0, 0.5, 1.0]))
    np.testing.assert_allclose(of, [0.26894142, 0.5, 0.62245933, 0.73105858], rtol=1e-6)


def test_the_default_tells_unrelated_names_from_related_ones() -> None:
    of = STEEP.of(np.array([0.13, 0.33, 0.5, 0.70, 0.76]))
    np.testing.assert_allclose(of, [0.0117, 0.1151, 0.5, 0.9168, 0.9577], atol=1e-4)


@given(st.floats(0.01, 1e6), st.floats(-2, 2), st.lists(st.floats(-1, 1), min_size=1))
def test_memberships_stay_in_bounds_and_rise_with_the_cosine(
    slope: float, midpoint: float, cosines: list[float]
) -> None:
    of = Membership(slope, midpoint).of(np.sort(np.array(cosines)))
    assert ((of >= 0) & (of <= 1)).all()
    assert (np.diff(of) >= 0).all()


@pytest.mark.parametrize(("slope", "midpoint"), [(0.0, 0.0), (-1.0, 0.0), (math.nan, 0.0), (1.0, math.inf)])
def test_settings_that_cannot_work_are_refused(slope: float, midpoint: float) -> None:
    with pytest.raises(SettingsError, match="slope"):
        Membership(slope, midpoint)
