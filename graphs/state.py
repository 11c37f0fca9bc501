"""What the graphs remember while they run: every field says who writes it and how writes are merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import ValidationError
from typing_extensions import TypedDict

from chains.plan import Plan, plan_of
from chains.safety import Alarm
from chains.scope import Scope
from chains.understanding import Understanding
from chains.widen import Widened
from core.cache import Mode
from core.errors import InputError
from core.schema import (
    Claim,
    Draft,
    Evidence,
    Exemplar,
    Failure,
    Mention,
    Question,
    QuestionSettings,
    Triple,
    Usage,
    Verdict,
    VerifiedAnswer,
)
from core.source import SourceQuery


def append(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """Reducer: what parallel branches found, one after the other."""
    return (*old, *new)


class QuestionInput(TypedDict, total=False):
    """A question as it comes through any door: the fields of ``core.schema.Question``, or messages of a chat."""

    id: str | None
    question: str
    options: dict[str, str]
    task: str | None
    evidence: list[str]
    history: list[dict[str, Any]]
    max_words: int | None
    settings: dict[str, Any]
    messages: Annotated[list[AnyMessage], add_messages]


class QuestionState(QuestionInput, total=False):
    """One question on its way. ``begin`` resets every field below it; the rest are written by one node at a time."""

    asked: Question
    """By ``begin``: the question, validated; the input fields are emptied so that the next question starts clean."""
    resolved: str
    """By ``resolve`` and ``widen``: the question as one that stands alone; of a consultation, all that was said."""
    unknown: tuple[str, ...]
    """By ``resolve``: words of the question that nobody knows."""
    scope: Scope
    """By ``screen``: whether general texts can answer the question."""
    alarms: tuple[Alarm, ...]
    """By ``watch``: signs of danger in the question."""
    mentions: tuple[Mention, ...]
    """By ``link_concepts`` and ``widen``: the concepts that the question mentions."""
    understanding: Understanding
    """By ``understand`` and ``widen``: what the question is about and what is asked of it."""
    widened: Widened | None
    """By ``widen``: the question asked of all medicines of a kind, where nothing answers it of the one it names."""
    triples: tuple[Triple, ...]
    """By ``relate``: what the vocabularies state of the concepts, those about the subject first."""
    exemplars: tuple[Exemplar, ...]
    """By ``exemplify``: the worked examples that a model is shown."""
    hypothetical: str
    """By ``expand``: a document that would answer the question; empty where none is wanted."""
    queries: tuple[str, ...]
    """By ``understand``, ``expand`` and ``refine``: every query so far, the question itself or its parts first."""
    pending: tuple[str, ...]
    """By ``expand`` and ``refine``: the queries that no source was asked yet; emptied by ``retrieve``."""
    evidence_found: tuple[Evidence, ...]
    """By ``retrieve``: the evidence selected from everything found so far."""
    relevance: dict[str, float]
    """By ``retrieve``: evidence id to the probability that it answers this question, or the likeliest of its parts."""
    weighed: tuple[dict[str, float], ...]
    """By ``retrieve``: the same for each part of the question."""
    missing: tuple[str, ...]
    """By ``retrieve``: words of the question that neither anybody knows nor the evidence has."""
    unfounded: tuple[str, ...]
    """By ``verify``: what the question takes for granted and no evidence says, as questions."""
    draft: Draft
    """By ``answer`` and ``revise``: the answer as it stands."""
    verdicts: tuple[Verdict, ...]
    """By ``verify`` and ``revise``: what was found of each claim of the draft, in its order."""
    rounds: int
    """By ``refine``: how often weak claims sent the agent back to search."""
    failures: tuple[Failure, ...]
    """By every node that can fail in part, as the whole list so far."""
    notices: tuple[str, ...]
    """By ``retrieve``: what the reader must be told of how the sources were asked."""
    usage: Usage
    """By every node that calls a model, as the whole sum so far."""
    answer: VerifiedAnswer | None
    """By ``finalize`` and ``abstain``."""


def plan_in(state: QuestionState) -> Plan:
    """The steps of the system that answers this question."""
    asked, understanding = state["asked"], state.get("understanding")
    return plan_of(asked.settings, understanding.task if understanding else asked.task)


class QuestionOutput(TypedDict):
    """What a question gets."""

    answer: VerifiedAnswer
    messages: list[AnyMessage]


class RetrievalInput(TypedDict, total=False):
    """What is searched for, and what is known already. A question alone is enough."""

    question: str
    understanding: Understanding
    queries: tuple[str, ...]
    hypothetical: str
    given: tuple[Evidence, ...]
    scope: Scope
    unknown: tuple[str, ...]
    settings: QuestionSettings | dict[str, Any]


class RetrievalOutput(TypedDict):
    """The selected evidence, how likely each answers the question, and the sources that failed."""

    selected: tuple[Evidence, ...]
    relevance: dict[str, float]
    weighed: tuple[dict[str, float], ...]
    missing: tuple[str, ...]
    failures: Annotated[tuple[Failure, ...], append]
    notices: Annotated[tuple[str, ...], append]


class RetrievalState(TypedDict, total=False):
    """One search on its way."""

    question: str
    """From the caller; read where there is no understanding yet."""
    understanding: Understanding
    """From the caller, or by ``prepare``."""
    queries: tuple[str, ...]
    """From the caller, or by ``prepare``: the question itself."""
    hypothetical: str
    """From the caller: a document that would answer the question; empty where there is none."""
    given: tuple[Evidence, ...]
    """From the caller: evidence that takes part without being searched."""
    scope: Scope
    """From a caller who knows whether texts can answer at all: likelihoods are calibrated by it."""
    unknown: tuple[str, ...]
    """From the caller: words of the question that nobody knows."""
    settings: QuestionSettings | dict[str, Any]
    """From the caller; validated by ``prepare``."""
    found: Annotated[tuple[Evidence, ...], append]
    """By ``search_source``, once a source: what it returned, merged by appending."""
    failures: Annotated[tuple[Failure, ...], append]
    """By ``search_source``: sources that failed, merged by appending."""
    notices: Annotated[tuple[str, ...], append]
    """By ``search_source``: what the reader must be told of how it was asked, merged by appending."""
    candidates: tuple[Evidence, ...]
    """By ``weigh``: all evidence, each piece once."""
    relevance: dict[str, float]
    """By ``weigh`` for all candidates, then by ``select`` for the selected ones."""
    weighed: tuple[dict[str, float], ...]
    """By ``weigh``: the same for each part of the question."""
    missing: tuple[str, ...]
    """By ``weigh``: words that neither anybody knows nor the evidence has."""
    selected: tuple[Evidence, ...]
    """By ``select``: what goes on to the answer, the most relevant first."""


class SourceTask(TypedDict):
    """Private to one branch of the fan-out over sources."""

    source: str
    query: SourceQuery
    mode: Mode


class VerificationInput(TypedDict, total=False):
    """A text whose claims are to be checked; evidence and claims where the caller has them."""

    text: str
    question: str
    options: tuple[str, ...]
    evidence: tuple[Evidence, ...] | list[str]
    claims: tuple[Claim, ...]
    relevance: dict[str, float]
    quoted: bool
    settings: QuestionSettings | dict[str, Any]


class VerificationOutput(TypedDict):
    """A verdict a claim, the evidence that they rest on, and what failed."""

    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    failures: tuple[Failure, ...]
    usage: Usage


class VerificationState(TypedDict, total=False):
    """One text on its way to its verdicts."""

    text: str
    """From the caller."""
    question: str
    """From a caller with a question: that question."""
    options: tuple[str, ...]
    """From a caller with a choice: what there is to choose from."""
    claims: tuple[Claim, ...]
    """From the caller, or by ``split``."""
    evidence: tuple[Evidence, ...] | list[str]
    """From the caller, as texts or evidence; by ``split`` as evidence; by ``search`` where there is none."""
    relevance: dict[str, float]
    """From a caller with a question: evidence id to the probability that it answers it."""
    quoted: bool
    """From a caller whose claims are sentences of the evidence."""
    settings: QuestionSettings | dict[str, Any]
    """From the caller; validated by ``split``."""
    verdicts: tuple[Verdict, ...]
    """By ``check``: one a claim, in their order."""
    failures: tuple[Failure, ...]
    """By every node: sources and models that failed, as the whole list so far."""
    usage: Usage
    """By every node that asks a model, as the whole sum so far."""


_AS_JSON = {
    "Value error, ": "",
    "a valid tuple": "a list",
    "a valid dictionary": "an object",
    "a valid string": "a text",
    "Extra inputs are not permitted": "there is no such field",
    "Tuple should have at least 1 item after validation, not 0": "the list is empty",
    "Field required": "is missing",
}
"""What messages of the types call things, and what they are in JSON."""


def said(message: str) -> str:
    """What Pydantic says, in the words of JSON, which is what callers write."""
    for ours, theirs in _AS_JSON.items():
        message = message.replace(ours, theirs)
    return message.partition(" or instance of ")[0]


def question_of(fields: Mapping[str, Any]) -> Question:
    """The question that these fields ask; InputError where they ask none."""
    try:
        return Question.model_validate(fields)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'question'}: {said(e['msg'])}" for e in error.errors())
        raise InputError(f"the question cannot be asked ({faults})") from error
