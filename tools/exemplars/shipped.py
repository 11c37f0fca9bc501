"""The exemplars that ship with the project: ``prompts/exemplars/*.jsonl``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from core.errors import DataMissing
from core.schema import Exemplar


@cache
def shipped() -> tuple[Exemplar, ...]:
    """All of them, in the order of the files' names and lines; raise DataMissing where there are none."""
    folder = files("prompts").joinpath("exemplars")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda file: file.name)
    if not found:
        raise DataMissing("prompts/exemplars has no exemplars: this checkout is incomplete, fetch it again")
    lines = (line for file in found for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(Exemplar.model_validate_json(line) for line in lines)
