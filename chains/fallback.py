"""What a step does when its model fails: the same without it, said in ``failures``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from core.errors import ModelError
from core.schema import Failure, Outcome, Usage

T = TypeVar("T")


def or_else(step: str, ask: Callable[[], Outcome[T]], otherwise: Callable[[], Outcome[T]]) -> Outcome[T]:
    """What the model gives; where it fails, what the evidence-only form of the step gives, and the failure."""
    try:
        return ask()
    except ModelError as error:
        done = otherwise()
        failures = (*done.failures, model_failure(step, error))
        return Outcome(value=done.value, failures=failures, usage=done.usage + (error.usage or Usage()))


def model_failure(step: str, error: ModelError) -> Failure:
    """The failure of a model in a step that went on without it."""
    return Failure(source=f"model, {step}", error=f"{error}; the step was done without it")
