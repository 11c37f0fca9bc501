"""One example by one system: a question is asked, a stored text is verified; the record says what came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, cast

from core.records import Record
from core.schema import Claim, Evidence, Question, Usage, Verdict, VerifiedAnswer
from eval.datasets.example import Example
from eval.runs.graph_alone import GraphAlone
from eval.runs.systems import System
from graphs import medical_qa, verification
from graphs.resources import Resources
from graphs.state import QuestionInput, VerificationInput

_KEPT = {
    "text", "choice", "reasoning", "verdicts", "evidence", "citations", "pointers", "exemplars", "queries", "risk",
    "abstained", "reason", "failures", "engine", "rounds", "usage",
}  # fmt: skip
_OF_EVIDENCE = {"id", "title", "text", "url", "source", "certified", "retracted"}


class Target:
    """The graphs over one set of resources."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self._answering = medical_qa.build_graph(resources)
        self._graphs = GraphAlone(resources)
        self._verifying = verification.build_graph(resources)

    async def run(self, example: Example, system: System) -> Record:
        """What the system makes of the example, with the seconds that it took."""
        started = time.perf_counter()
        if (graph := system.graph) is not None:
            made = await self.resources.compute(lambda: self._graphs.verified(example, graph))
        else:
            made = await (self._verified if example.task == "claim" else self._answered)(example, system)
        return {**made, "seconds": round(time.perf_counter() - started, 3)}

    async def _answered(self, example: Example, system: System) -> Record:
        result = await self._answering.ainvoke(cast("QuestionInput", question(example, system).model_dump()))
        answer = cast("VerifiedAnswer", result["answer"])
        made = _trimmed(json.loads(answer.model_dump_json(include=_KEPT)))
        # A full risk stands for “not verified”: it is no figure.
        return {**made, "risk": None, "verdicts": []} if "verification" in system.without else made

    async def _verified(self, example: Example, system: System) -> Record:
        """The verdict of a claim that is labelled as a whole; of longer texts that of the riskiest claim."""
        given: VerificationInput = {
            "text": example.claim,
            "question": example.question,
            "evidence": list(example.context),
            "settings": system.question_settings,
        }
        if example.gold is not None:
            given["claims"] = (Claim(text=example.claim, span=(0, len(example.claim))),)
        found = await self._verifying.ainvoke(given)
        verdicts = cast("tuple[Verdict, ...]", found["verdicts"])
        riskiest = max(verdicts, key=lambda verdict: verdict.risk, default=None)
        return _trimmed(
            {
                "text": example.claim,
                "choice": riskiest.label if riskiest else None,
                "risk": riskiest.risk if riskiest else 1.0,
                "verdicts": [json.loads(verdict.model_dump_json()) for verdict in verdicts],
                "evidence": [json.loads(e.model_dump_json()) for e in cast("tuple[Evidence, ...]", found["evidence"])],
                "failures": [failure.model_dump() for failure in found["failures"]],
                "engine": self.resources.engine,
                "usage": cast("Usage", found["usage"]).model_dump(),
            }
        )


def question(example: Example, system: System) -> Question:
    """The example as it is asked: over the texts that come with it where it has some, unless sources are named."""
    settings = system.question_settings
    if example.context and settings.sources is None and settings.collection is None:
        settings = settings.model_copy(update={"sources": ("given",)})
    return Question.model_validate(
        {
            "id": example.id,
            "question": example.question,
            "options": example.options,
            "history": [turn.model_dump() for turn in example.history],
            "task": example.task,
            "evidence": example.context if settings.sources is None or "given" in settings.sources else (),
            "settings": settings.model_dump(),
        }
    )


def _trimmed(record: Record) -> Record:
    """The record without what only signals and stores need."""
    quoted = {"claim", "label", "p_supported", "p_contradicted", "risk", "quotes", "why"}
    return {
        **record,
        "verdicts": [_only(verdict, quoted) for verdict in record["verdicts"]],
        "evidence": [_only(piece, _OF_EVIDENCE) for piece in record["evidence"]],
    }


def _only(value: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: held for name, held in value.items() if name in names}
