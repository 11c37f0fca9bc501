"""LangSmith's datasets, examples and experiments on a loopback socket, beside the traces and feedback that it gets."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from tests.emulators.http import Reply, Request
from tests.emulators.langsmith import Receiver, answer, unpacked


class Evaluations(Receiver):
    """What it holds, and every byte that it got."""

    def __init__(self) -> None:
        self.datasets: dict[str, dict[str, Any]] = {}
        self.examples: list[dict[str, Any]] = []
        self.experiments: list[dict[str, Any]] = []
        super().__init__(self._keep)

    def _keep(self, request: Request) -> Reply:
        name = next(iter(request.query.get("name", [])), None)
        if request.path == "/datasets" and request.method == "POST":
            made = {**json.loads(unpacked(request)), **_identity()}
            self.datasets[made["name"]] = made
            return _json(made)
        if request.path == "/datasets":
            return _json([own for own in self.datasets.values() if own["name"] == name])
        if request.path.startswith("/datasets/"):
            return _json(next(own for own in self.datasets.values() if own["id"] in request.path))
        if request.path == "/examples/bulk":
            dataset = next(iter(self.datasets.values()))["id"]
            new = [{**each, "dataset_id": dataset} for each in json.loads(unpacked(request))]
            self.examples += new
            return _json(new)
        if request.path == "/examples":
            return _json(self.examples if request.query["offset"] == ["0"] else [])
        if request.path == "/sessions" and request.method == "POST":
            self.experiments.append({**_identity(), **json.loads(unpacked(request))})
            return _json(self.experiments[-1])
        return answer(request)


@contextmanager
def receiving_evaluations() -> Iterator[Evaluations]:
    """It, while the block runs."""
    receiver = Evaluations()
    try:
        yield receiver
    finally:
        receiver.close()


def _identity() -> dict[str, str]:
    return {"id": str(uuid.uuid4()), "tenant_id": str(uuid.uuid4()), "created_at": datetime.now(UTC).isoformat()}


def _json(value: object) -> Reply:
    return Reply(200, json.dumps(value).encode(), {"content-type": "application/json"})
