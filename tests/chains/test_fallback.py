from __future__ import annotations

import pytest

from chains.fallback import or_else
from core.errors import ModelError, ModelUnavailable, SourceError
from core.schema import Failure, Outcome, Usage

OWN: Outcome[str] = Outcome(
    value="by rule", failures=(Failure(source="rules", error="slow"),), usage=Usage(input_tokens=1)
)


def failing(error: Exception) -> Outcome[str]:
    raise error


def test_what_the_model_gives_is_taken() -> None:
    found = or_else("expand", lambda: Outcome(value="by model"), lambda: OWN)
    assert found == Outcome(value="by model")


def test_a_failure_is_told_counted_and_replaced() -> None:
    error: ModelError = ModelUnavailable("openai:x is busy")
    error.usage = Usage(model_calls=3, input_tokens=5)
    found = or_else("expand", lambda: failing(error), lambda: OWN)
    assert found.value == "by rule"
    assert found.usage == Usage(model_calls=3, input_tokens=6)
    assert [(f.source, f.error) for f in found.failures] == [
        ("rules", "slow"),
        ("model, expand", "openai:x is busy; the step was done without it"),
    ]


def test_other_failures_are_not_the_models() -> None:
    with pytest.raises(SourceError):
        or_else("expand", lambda: failing(SourceError("down")), lambda: OWN)
