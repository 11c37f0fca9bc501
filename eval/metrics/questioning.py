"""Faithfulness by questions and answers, with a model in the place of the papers' trained generators and readers.

FEQA (Durmus et al. 2020): questions from the answer's spans are answered from the source; the mean F1 of the words of
both answers. QuestEval (Scialom et al. 2021): that is its precision; its recall is the share of the source's questions
that the answer can answer, all of one weight; the score is their harmonic mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from core.errors import ModelError
from core.model.client import Model, Prompt
from eval.metrics.exact import token_f1
from eval.metrics.record import Scored
from prompts import system_and_user

MOST_QUESTIONS = 8


class Asked(BaseModel):
    """A question and the span of the text that answers it."""

    question: str = Field(json_schema_extra={"maxLength": 300})
    answer: str = Field(json_schema_extra={"maxLength": 120})


class SpanQuestions(BaseModel):
    """Questions about a text."""

    questions: list[Asked] = Field(json_schema_extra={"maxItems": MOST_QUESTIONS})


class SpanRead(BaseModel):
    """What a text answers to a question; empty where it does not."""

    answer: str = Field(json_schema_extra={"maxLength": 200})


class _Task(NamedTuple):
    """A question that is put to a text."""

    asked: Asked
    text: str


def feqa(records: Sequence[Scored], model: Model) -> list[float | None]:
    """FEQA of each record; None where the model asks nothing or fails."""
    asked = _questions(model, [record.answer or "" for record in records])
    return _f1(model, asked, records)


def questeval(records: Sequence[Scored], model: Model) -> list[float | None]:
    """QuestEval of each record, without a reference; None where the model asks nothing or fails."""
    count = len(records)
    asked = _questions(model, [*(record.answer or "" for record in records), *map(source, records)])
    precision = _f1(model, asked[:count], records)
    read = _read(model, asked[count:], [record.answer or "" for record in records])
    recall = [_mean([float(bool(said.strip())) for said in answers]) for answers in read]
    return [_harmonic(p, r) for p, r in zip(precision, recall, strict=True)]


def source(record: Scored) -> str:
    """What an answer was given."""
    return "\n\n".join(filter(None, (record.context, record.knowledge)))


def _f1(model: Model, asked: Sequence[Sequence[Asked]], records: Sequence[Scored]) -> list[float | None]:
    read = _read(model, asked, list(map(source, records)))
    return [
        _mean([token_f1(said, a.answer, record.language) for a, said in zip(asked_, answers, strict=True)])
        if len(answers) == len(asked_)
        else None
        for asked_, answers, record in zip(asked, read, records, strict=True)
    ]


def _questions(model: Model, texts: Sequence[str]) -> list[list[Asked]]:
    """Questions about each text whose answers stand in it to the letter, but for case; none where the model fails."""
    prompts = [Prompt(*system_and_user("spans", count=str(MOST_QUESTIONS), text=text)) for text in texts]
    found = []
    for text, reply in zip(texts, model.ask_all(SpanQuestions, prompts), strict=True):
        asked = [] if isinstance(reply, ModelError) else reply.value.questions
        found.append([a for a in asked[:MOST_QUESTIONS] if a.answer.strip() and a.answer.lower() in text.lower()])
    return found


def _read(model: Model, asked: Sequence[Sequence[Asked]], texts: Sequence[str]) -> list[list[str]]:
    """What each text answers to its questions; nothing at all where the model failed at one of them."""
    tasks = [_Task(a, text) for questions, text in zip(asked, texts, strict=True) for a in questions]
    prompts = [Prompt(*system_and_user("read", question=task.asked.question, text=task.text)) for task in tasks]
    replies = iter(model.ask_all(SpanRead, prompts))
    found = []
    for questions in asked:
        own = [next(replies) for _ in questions]
        answers = [reply.value.answer for reply in own if not isinstance(reply, ModelError)]
        found.append(answers if len(answers) == len(own) else [])
    return found


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _harmonic(p: float | None, r: float | None) -> float | None:
    if p is None or r is None:
        return None
    return 2 * p * r / (p + r) if p + r else 0.0
