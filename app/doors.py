"""The graphs as LangServe serves them: typed input, plain JSON out, and streamed a step's update at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import orjson
from langchain_core.messages import AnyMessage, convert_to_messages
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.schema import StreamEvent
from langgraph.graph.state import CompiledStateGraph
from langserve.schema import CustomUserType
from langserve.serialization import WellKnownLCSerializer
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from core.errors import InputError, MedattestError
from core.schema import (
    MAX_CLAIMS,
    MAX_TEXT_CHARS,
    Claim,
    Evidence,
    Failure,
    Probability,
    Question,
    QuestionSettings,
    Usage,
    Verdict,
    VerifiedAnswer,
    readable_question,
    refuse_too_much,
)
from graphs import medical_qa, retrieval, verification
from graphs.resources import Resources
from graphs.verification import as_evidence

AT_ONCE = 4
"""Inputs of a batch that run together."""
MAX_BATCH = 100
MAX_EVIDENCE = 1_000
MAX_MESSAGES = 400


class Asked(CustomUserType, Question):
    """A question, or messages of a chat, the last of which asks one."""

    question: str = ""
    messages: list[AnyMessage] = Field(default_factory=list, max_length=MAX_MESSAGES)

    @field_validator("messages", mode="before")
    @classmethod
    def _spoken(cls, messages: object) -> object:
        if not isinstance(messages, list | tuple):
            return messages
        try:
            return convert_to_messages(messages)
        except (ValueError, TypeError, NotImplementedError, KeyError) as error:
            raise ValueError("a message is none: give each as {role: user, content: its text}") from error

    @model_validator(mode="after")
    def _asks(self) -> Asked:
        if not self.question and not self.messages:
            raise ValueError("the question is missing: ask one in words, as question or as the last of messages")
        return self


class Fields(CustomUserType):
    """Fields as they come; those that nobody knows are refused."""

    model_config = ConfigDict(extra="forbid")


class Searched(Fields):
    """What is searched for; ``given`` takes part without being searched."""

    question: str
    given: tuple[Evidence, ...] = Field((), max_length=MAX_EVIDENCE)
    settings: QuestionSettings = QuestionSettings()

    @field_validator("given")
    @classmethod
    def _distinct(cls, given: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        return _distinct(given)

    @field_validator("question")
    @classmethod
    def _readable(cls, text: str) -> str:
        return readable_question(text)


class Found(Fields):
    """The selected evidence, how likely each piece answers the question, and what failed."""

    selected: tuple[Evidence, ...]
    relevance: dict[str, Probability]
    failures: tuple[Failure, ...] = ()
    notices: tuple[str, ...] = ()


class Checked(Fields):
    """A text, or claims, to be checked against the evidence; without any, the sources are searched."""

    text: str = Field("", max_length=MAX_TEXT_CHARS)
    claims: tuple[Claim, ...] | None = Field(None, max_length=MAX_CLAIMS)
    evidence: tuple[Evidence | str, ...] = Field((), max_length=MAX_EVIDENCE)
    question: str = Field("", max_length=MAX_TEXT_CHARS)
    relevance: dict[str, Probability] | None = None
    settings: QuestionSettings = QuestionSettings()

    @model_validator(mode="after")
    def _checkable(self) -> Checked:
        if not self.text.strip() and not self.claims:
            raise ValueError("there is no text to verify: give one, or claims")
        if not all(claim.text.strip() for claim in self.claims or ()):
            raise ValueError("a claim has no text: give each its own")
        ids = {piece.id for piece in _distinct(as_evidence(self.evidence))}
        if unknown := sorted((self.relevance or {}).keys() - ids):
            raise ValueError(f"relevance is given of {unknown[0]!r}, which is no id of the evidence")
        return self


class Judged(Fields):
    """A verdict a claim, the evidence that they rest on, and what failed."""

    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    failures: tuple[Failure, ...] = ()
    usage: Usage = Usage()


def _distinct(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The same; ValueError where they are too long, or two have one id, since a citation must say which it means."""
    refuse_too_much(piece.text for piece in evidence)
    seen: set[str] = set()
    for piece in evidence:
        if piece.id in seen:
            raise ValueError(f"two pieces of evidence have the id {piece.id!r}: give each its own")
        seen.add(piece.id)
    return evidence


class Door(Runnable[Any, Any]):
    """A graph behind an endpoint."""

    def __init__(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        accepts: type[BaseModel],
        answers: type[BaseModel],
        read: Callable[[Mapping[str, Any]], Any],
    ) -> None:
        self.name = graph.name
        self._graph, self._accepts, self._answers, self._read = graph, accepts, answers, read

    @property
    def InputType(self) -> type[BaseModel]:
        """What it accepts."""
        return self._accepts

    @property
    def OutputType(self) -> type[BaseModel]:
        """What it answers."""
        return self._answers

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The answer, where no event loop runs."""
        return asyncio.run(self.ainvoke(input, config))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The answer."""
        return plain(self._read(await self._graph.ainvoke(_given(input), config)))

    async def abatch(
        self,
        inputs: list[Any],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any | None,
    ) -> list[Any]:
        """An answer for each, some at once."""
        if len(inputs) > MAX_BATCH:
            raise InputError(f"the batch has {len(inputs):,} inputs, the limit is {MAX_BATCH}: send it in parts")
        configs = config if isinstance(config, list) else [config or {}] * len(inputs)
        bounded = [{**each, "max_concurrency": AT_ONCE} for each in configs]
        return await super().abatch(inputs, bounded, return_exceptions=return_exceptions)  # type: ignore[arg-type]

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **kwargs: Any | None
    ) -> AsyncIterator[Any]:
        """``{step: its update}`` as each step ends; what fails after the first byte is told as ``{error}``."""
        try:
            async for update in self._graph.astream(_given(input), config, stream_mode="updates"):
                yield plain(update)
        except MedattestError as error:
            yield {"error": told(error)}

    async def astream_events(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """LangChain's events of every step within; a failure is the event ``error``."""
        events: AsyncIterator[StreamEvent] = self._graph.astream_events(_given(input), config, **kwargs)
        try:
            async for event in events:
                yield event
        except MedattestError as error:
            run = str((config or {}).get("run_id", ""))
            shared = {"run_id": run, "tags": [], "metadata": {}, "parent_ids": []}
            yield {"event": "on_custom_event", "name": "error", "data": told(error), **shared}


class PlainSerializer(WellKnownLCSerializer):
    """JSON of whatever a graph's state and events hold."""

    def dumps(self, obj: Any) -> bytes:
        """JSON as bytes."""
        return orjson.dumps(obj, default=_plainer, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY)


def doors(resources: Resources) -> dict[str, Door]:
    """A door a path, over one set of resources."""
    return {
        "/medical_qa": Door(medical_qa.build_graph(resources), Asked, VerifiedAnswer, lambda result: result["answer"]),
        "/verification": Door(verification.build_graph(resources), Checked, Judged, _told_by(Judged)),
        "/retrieval": Door(retrieval.build_graph(resources), Searched, Found, _told_by(Found)),
    }


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return orjson.loads(PlainSerializer().dumps(value))


def told(error: MedattestError) -> dict[str, str]:
    """An error as every door tells it."""
    return {"type": type(error).__name__, "message": str(error)}


def _told_by(answers: type[BaseModel]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """What a graph ends with that its door answers; the rest is for the graph that calls it."""
    return lambda result: {name: result[name] for name in answers.model_fields}


def _given(fields: BaseModel) -> dict[str, Any]:
    """What the caller gave: to a graph, a field that is there is a field that is meant."""
    return {name: value for name, value in fields if value is not None}


def _plainer(value: Any) -> Any:
    """One step nearer to JSON; of what has no such form, only its type is told."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    if hasattr(value, "_asdict"):  # named tuples
        return value._asdict()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return type(value).__name__
