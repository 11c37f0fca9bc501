from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.abstention import calibration_error, reliability, risk_coverage

ANSWERS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1, max_size=8)


def test_the_curve_and_its_area_by_hand() -> None:
    """The surest is right, the next wrong, the last two right: risks 0, 1/2, 1/3, 1/4."""
    found = risk_coverage([False, False, True, False], [0.9, 0.1, 0.2, 0.3])
    assert found.coverage == (0.25, 0.5, 0.75, 1.0)
    assert found.risk == pytest.approx((0, 1 / 2, 1 / 3, 1 / 4))
    assert found.area == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 4)


@given(ANSWERS)
def test_the_order_of_the_file_does_not_matter(answers: list[tuple[bool, float]]) -> None:
    there, back = [risk_coverage(*zip(*order, strict=True)) for order in (answers, answers[::-1])]
    assert there.risk == pytest.approx(back.risk)
    assert there.risk[-1] == pytest.approx(sum(wrong for wrong, _ in answers) / len(answers))


def test_calibration_by_hand() -> None:
    """Two answers near 0.15, one wrong: off by 0.35; two at 1.0, both wrong: not off."""
    wrong, risks = [True, False, True, True], [0.1, 0.2 - 1e-9, 1.0, 1.0]
    assert [each.answers for each in reliability(wrong, risks)] == [2, 2]
    assert calibration_error(wrong, risks) == pytest.approx(2 / 4 * (0.5 - 0.15))
    assert calibration_error([True, False], [1.0, 0.0]) == 0.0


def test_unequal_lengths_and_no_probabilities_are_refused() -> None:
    with pytest.raises(ValueError, match="one risk an answer"):
        risk_coverage([True], [])
    with pytest.raises(ValueError, match="probability"):
        calibration_error([True], [1.2])


def test_what_is_withheld_ends_the_curve_and_counts_as_wrong_at_the_end() -> None:
    """One right answer, three withheld: 0 for a quarter, then 1/2, 2/3, 3/4."""
    found = risk_coverage([False], [0.1], withheld=3)
    assert (found.coverage, found.risk) == ((0.25,), (0.0,))
    assert found.area == pytest.approx((1 / 2 + 2 / 3 + 3 / 4) / 4)
