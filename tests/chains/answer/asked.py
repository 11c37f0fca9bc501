"""What tests of answers share: evidence, questions as the graph would have understood them, and scripted drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from chains.answer.given import AnswerInput
from chains.plan import Style
from chains.understand import understand
from core.schema import Concept, Evidence, Question, Triple
from tests.emulators.openai import Play, Spoken

TEA = Evidence(id="given:1", text="Zorblax fever is treated with glimepride tea for three weeks.", source="given")
MITE = Evidence(id="given:2", text="Zorblax fever is caused by the bite of the zorb mite.", source="given")
TREATS = Triple(
    head=Concept(id="C1", name="Glimepride tea"),
    relation="may treat",
    tail=Concept(id="C2", name="Zorblax fever"),
    vocabulary="MED-RT",
)
OPTIONS = {"A": "Aspirin", "B": "Glimepride tea", "C": "Surgery"}


def asked(text: str = "How is zorblax fever treated?", *, style: str = "steps", **fields: Any) -> AnswerInput:
    """A question over the two passages; ``evidence``, ``triples``, ``exemplars`` and ``passages`` are the prompt's."""
    shown = {name: fields.pop(name) for name in ("evidence", "triples", "exemplars", "passages") if name in fields}
    question = Question(question=text, **fields)
    task = question.task or ("dialogue" if question.history else None)
    spoken = [turn.text for turn in question.history if turn.role == "patient"]
    understanding = understand("\n\n".join([*spoken, text]), None, question.options, task=task)
    given = AnswerInput(question, understanding, (TEA, MITE), {}, style=cast(Style, style))
    return given._replace(**shown)


def draft(answer: str, choice: str | None = None, citations: Sequence[str] = ()) -> dict[str, Any]:
    return {"reasoning": ["It is weighed."], "answer": answer, "choice": choice, "citations": list(citations)}


def saying(*drafts: Mapping[str, Any] | Spoken) -> Play:
    """A model whose drafts are these, one a request; the last one ever after."""
    left = list(drafts)

    def play(schema: str, system: str, user: str) -> Any:
        return left.pop(0) if len(left) > 1 else left[0]

    return play
