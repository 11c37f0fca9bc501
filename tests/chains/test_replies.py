"""What a model replies, as it is read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chains.replies import Judgement


@pytest.mark.parametrize(("written", "read"), [(0.9, 0.9), (1, 1.0), (95, 0.95), (100, 1.0), (0, 0.0)])
def test_a_probability_in_percent_is_read_as_one(written: float, read: float) -> None:
    judgement = Judgement.model_validate({"label": "supported", "support": written, "contradiction": 0})
    assert judgement.support == pytest.approx(read)


@pytest.mark.parametrize("written", [-1, 101, "high", None])
def test_what_is_no_probability_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        Judgement.model_validate({"label": "supported", "support": written, "contradiction": 0})


def test_the_bounds_are_told_to_the_server() -> None:
    support = Judgement.model_json_schema()["properties"]["support"]
    assert (support["minimum"], support["maximum"], support["type"]) == (0, 1, "number")
