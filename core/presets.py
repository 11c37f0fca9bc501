"""The hyper-parameters that each system was published with, as data, and how they meet the user's settings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.schema import Method
from core.settings import Settings

_MODELS = frozenset({"embedder", "cross_encoder"})
"""Names of models: they are used where they are on the machine, which ``core.encoders`` finds out."""


@cache
def presets() -> Mapping[Method, Mapping[str, Any]]:
    """The hyper-parameters of every method that has some, under the names of the settings."""
    return tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))  # type: ignore[return-value]  # a test compares its names with the methods


def with_preset(settings: Settings, method: Method) -> Settings:
    """The settings with a method's hyper-parameters in place of the defaults; what the user has set stays."""
    said = settings.model_fields_set | _MODELS
    return settings.model_copy(
        update={
            name: tuple(value) if isinstance(value, list) else value
            for name, value in presets().get(method, {}).items()
            if name not in said
        }
    )
