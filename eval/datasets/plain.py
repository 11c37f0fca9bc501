"""Anybody's set: JSON Lines with question, reference, context, answer, and what else an example has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import InputError
from eval.datasets.example import Example
from eval.datasets.files import rows


def plain(path: Path) -> Iterator[Example]:
    """A record a line. With ``options`` or a ``gold`` of yes, no or maybe it is asked as such, otherwise openly.

    A record whose ``hallucinated`` is known has a stored ``answer``, which is verified and not asked for again.
    """
    for number, row in enumerate(rows(path), start=1):
        try:
            yield _example(number, row)
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            raise InputError(f"{path}:{number}: {faults.replace('Value error, ', '')}") from error


def _example(number: int, row: Mapping[str, Any]) -> Example:
    fields = {name: value for name, value in row.items() if name in Example.model_fields and value is not None}
    fields["id"] = str(row.get("id") or number)
    if isinstance(row.get("hallucinated"), bool) and row.get("answer"):
        fields |= {"task": "claim", "claim": row["answer"]}
    elif "gold" not in fields and row.get("options") and row.get("answer") in row["options"]:
        fields["gold"] = row["answer"]
    return Example.model_validate({"task": _task(fields), **fields})


def _task(fields: Mapping[str, Any]) -> str:
    if fields.get("claim"):
        return "claim"
    if fields.get("options"):
        return "choice"
    if fields.get("gold") in ("yes", "no", "maybe"):
        return "yesno"
    return "dialogue" if fields.get("history") else "open"
