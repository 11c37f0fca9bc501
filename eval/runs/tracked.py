"""Experiments in LangSmith, where the settings trace: the dataset, an experiment a system, and its scores as feedback.

Systems have answered already: what LangSmith's evaluation runs is the stored answer, so nothing is asked twice and an
experiment that was killed is sent whole. Identifiers of patients are taken out of everything that is sent.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from langsmith import Client
from langsmith.evaluation import EvaluationResult, EvaluationResults
from langsmith.schemas import Example as Stored
from langsmith.schemas import Run

from core.errors import SourceError
from core.privacy.trace import anonymous
from core.settings import Settings
from eval.datasets import Example
from eval.runs.experiment import Case, Experiment
from graphs.tracing import AnonymousClient

SHOWN = ("text", "choice", "risk", "abstained", "citations", "engine")
_IDS = uuid.UUID("6d656461-7474-6573-742d-6576616c7561")


def track(experiment: Experiment, settings: Settings) -> list[str]:
    """Send the experiment if the settings trace; the names of LangSmith's experiments, none where nothing is sent.

    Raises:
        SourceError: LangSmith refuses it, or is not there.
    """
    if not settings.tracing:
        return []
    client = AnonymousClient()
    try:
        examples = _dataset(client, experiment)
        return [_sent(client, experiment, name, cases, examples) for name, cases in experiment.systems.items()]
    except Exception as error:
        raise SourceError(f"the experiment was not sent to LangSmith ({type(error).__name__}): {error}") from error


def feedback(case: Case) -> Iterator[tuple[str, float]]:
    """Every figure of one case."""
    if case.right is not None:
        yield "accuracy", float(case.right)
    if case.example.task != "claim":
        yield "coverage", float(case.answered)
    if case.risk is not None:
        yield "risk", case.risk
    if case.example.hallucinated is not None:
        yield "hallucinated", float(case.example.hallucinated)
    yield from ((name, value) for name, value in case.scores.items() if value is not None)


def evaluator(cases: Mapping[str, Case]) -> Callable[[Run, Stored | None], EvaluationResults]:
    """An evaluator as LangSmith takes it: of a stored answer all its figures."""

    def figures(run: Run, example: Stored | None = None) -> EvaluationResults:
        case = cases[str(example.id)] if example else None
        found = feedback(case) if case else ()
        return {"results": [EvaluationResult(key=name, score=value) for name, value in found]}

    return figures


def _sent(client: Client, experiment: Experiment, name: str, cases: Sequence[Case], examples: Sequence[Stored]) -> str:
    held = {str(_id(experiment, case.example)): case for case in cases}

    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        case = held[inputs["key"]]
        told = {"error": case.text} if case.failed else {key: case.line.get(key) for key in SHOWN}
        return {key: value for key, value in told.items() if value is not None}

    manifest = experiment.manifest
    found = client.evaluate(
        target,
        data=[example for example in examples if str(example.id) in held],
        evaluators=[evaluator(held)],
        experiment_prefix=f"{experiment.name} {name}",
        metadata={"system": name, "commit": manifest["commit"], "seed": manifest["seed"]},
        max_concurrency=None,
    )
    client.flush()
    return str(found.experiment_name)


def _dataset(client: Client, experiment: Experiment) -> list[Stored]:
    """The examples of this experiment in LangSmith's dataset of their name, which is made where there is none."""
    told = experiment.manifest["dataset"]
    name = f"medattest {told['name']} {told['files_sha256'][:12]}"
    if not client.has_dataset(dataset_name=name):
        client.create_dataset(name, description=f"licence: {told['licence']}")
    held = client.read_dataset(dataset_name=name)
    examples = {_id(experiment, case.example): case.example for own in experiment.systems.values() for case in own}
    there = {example.id for example in client.list_examples(dataset_id=held.id)}
    missing = [_stored(identifier, example) for identifier, example in examples.items() if identifier not in there]
    if missing:
        client.create_examples(dataset_id=held.id, examples=missing)
    return [example for example in client.list_examples(dataset_id=held.id) if example.id in examples]


def _stored(identifier: uuid.UUID, example: Example) -> dict[str, Any]:
    asked = example.model_dump(mode="json", include={"question", "options", "history", "context", "claim"})
    wanted = example.model_dump(mode="json", include={"gold", "reference", "hallucinated"})
    about = {"subject": example.subject, "level": example.level, "task": example.task}
    # LangSmith's runs name the inputs alone: the key tells which example they are of.
    return {
        "id": identifier,
        "inputs": {**anonymous(asked), "key": str(identifier)},
        "reference_outputs": anonymous(wanted),
        "metadata": about,
    }


def _id(experiment: Experiment, example: Example) -> uuid.UUID:
    return uuid.uuid5(_IDS, f"{experiment.manifest['dataset']['name']} {example.id} {example.digest}")
