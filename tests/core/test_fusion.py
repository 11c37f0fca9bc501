from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from core.fusion import fuse

Floats = NDArray[np.float32]
cosines = arrays(np.float32, (2, 5), elements=st.floats(-1, 1, width=16))
shares = arrays(np.float32, (2, 5), elements=st.floats(0, 1, width=16))


@given(cosines, shares, st.floats(0, 1))
def test_it_is_the_weighted_sum_of_each_pair(dense: Floats, lexical: Floats, weight: float) -> None:
    fused = fuse(dense, lexical, weight)
    assert fused.dtype == np.float32
    for place in np.ndindex(fused.shape):
        expected = weight * max(0.0, float(dense[place])) + (1 - weight) * float(lexical[place])
        assert fused[place] == pytest.approx(expected, abs=1e-6)
        assert 0 <= fused[place] <= 1


@given(cosines, shares)
def test_no_score_depends_on_what_else_was_found(dense: Floats, lexical: Floats) -> None:
    np.testing.assert_array_equal(fuse(dense, lexical)[:, 2:], fuse(dense[:, 2:], lexical[:, 2:]))


def test_a_passage_that_both_find_beats_one_that_either_finds() -> None:
    fused = fuse(np.array([0.6, 0.8, 0.1], np.float32), np.array([0.6, 0.0, 0.8], np.float32))
    assert fused.argmax() == 0


def test_nothing_found_is_nothing() -> None:
    assert fuse(np.zeros((3, 0), np.float32), np.zeros((3, 0), np.float32)).shape == (3, 0)


def test_scores_of_different_passages_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        fuse(np.zeros(3, np.float32), np.zeros(4, np.float32))
