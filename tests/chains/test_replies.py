"""What a model replies, as it is read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chains.replies import Judgement, draft_schema
from core.schema import Task


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


@pytest.mark.parametrize("task", ["open", "yesno", "choice"])
def test_ids_are_asked_for_where_evidence_is_shown(task: Task) -> None:
    shown, bare = (draft_schema(task, "AB", cited=cited).model_json_schema() for cited in (True, False))
    assert "citations" in shown["properties"]
    assert "citations" not in bare["properties"]
    assert "square brackets" in shown["properties"]["answer"]["description"]
    assert "brackets" not in str(bare)
    assert shown["title"] == bare["title"] == "DraftAnswer"
